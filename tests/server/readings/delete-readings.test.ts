import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await server.db.pool.query(`CREATE TABLE deletions (count integer);
    CREATE FUNCTION count_deletions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO deletions SELECT count(*) FROM deleted;
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_deletions AFTER DELETE ON sensor_logs REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION count_deletions()`);
});
afterAll(() => server.close());

test('a plant with many readings is deleted by statements that delete at most 20,000 of them, and no other plant loses any', async () => {
  const account = await server.addAccount();
  const [pot, other] = [await addPlant(server, account), await addPlant(server, account)];
  const { pool } = server.db;
  const add = (plantId: string, count: number) =>
    pool.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity)
        SELECT $1, $2, now() - n * interval '1 minute', 40 FROM generate_series(1, $3) n`,
      [account.userId, plantId, count],
    );
  await add(pot.id, 45_000);
  await add(other.id, 3);
  const response = await requestAs(server, account)('DELETE', `/api/plants/${pot.id}`);
  expect(response.statusCode).toBe(200);
  const { rows: steps } = await pool.query('SELECT count FROM deletions WHERE count > 0');
  expect(steps.map(({ count }) => count)).toEqual([20_000, 20_000, 5_000]);
  const { rows: left } = await pool.query(
    'SELECT plant_id AS id, count(*)::int FROM sensor_logs GROUP BY plant_id',
  );
  expect(left).toEqual([{ id: other.id, count: 3 }]);
});
