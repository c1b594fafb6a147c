import { expect, onTestFinished, test } from 'vitest';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { requestAs } from '../../../support/server/request.ts';
import { addPlant, openTestServer } from '../../../support/server/server.ts';

const hourMs = 3_600_000;

test('one run rolls up all hours that are due again, even more than fit into one step', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { db, clock } = server;
  const account = await server.addAccount();
  const { id } = await addPlant(server, account);
  const readingsFrom = (minute: number) =>
    Array.from({ length: 450 }, (_, n) => {
      const ms = clock().getTime() - (n + 3) * hourMs + minute * 60_000;
      return { plant_id: id, timestamp: new Date(ms).toISOString(), temperature: 20 };
    });
  const post = async (payload: object) =>
    expect((await requestAs(server, account)('POST', '/api/logs', { payload })).statusCode).toBe(
      200,
    );
  const rollUp = () =>
    rollUpReadings({ db, clock, onFailure: expect.fail, pause: async () => undefined });
  await post(readingsFrom(0));
  await rollUp();
  await post(readingsFrom(1));
  await rollUp();
  const { rows } = await db.pool.query(
    `SELECT (SELECT count(*)::int FROM rollup_due) AS due, count(*)::int AS hours, sum(temperature_count)::int AS readings
      FROM reading_hours`,
  );
  expect(rows).toEqual([{ due: 0, hours: 450, readings: 900 }]);
});
