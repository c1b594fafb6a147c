import { afterEach, beforeEach, expect } from 'vitest';
import { askAs } from '../../support/ask.ts';
import { untilWaiting } from '../../support/database-waits.ts';
import { oneMachineTest } from '../../support/one-machine.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

oneMachineTest(
  'a change that PostgreSQL aborts to end a deadlock gets a 503 with Retry-After, and takes effect once when it is repeated',
  async () => {
    const account = await server.addAccount();
    const { id } = await addPlant(server, account);
    const water = () => askAs(server, account)('POST', `/api/plants/${id}/water`, { key: 'op-1' });
    const other = await server.db.pool.connect();
    // With this setting only the connection of the request detects the deadlock, and so its change is the one aborted.
    await other.query("SET deadlock_timeout TO '10min'");
    await other.query('BEGIN');
    await other.query('SELECT FROM change_counters WHERE user_id = $1 FOR UPDATE', [
      account.userId,
    ]);
    const losing = water();
    await untilWaiting(server);
    const winning = other.query('SELECT FROM plants WHERE id = $1 FOR UPDATE', [id]);
    const refused = await losing;
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect(refused.json()).toEqual({ code: 'unavailable', message: 'The database is too busy' });
    await winning;
    await other.query('COMMIT');
    other.release(true);
    expect((await water()).statusCode).toBe(200);
    expect((await water()).headers['idempotent-replayed']).toBe('true');
    const { rowCount } = await server.db.pool.query('SELECT 1 FROM waterings');
    expect(rowCount).toBe(1);
  },
);
