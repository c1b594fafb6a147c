import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '#server/accounts/schema.ts';
import { isConnectionLost } from '#server/database/lost-connections.ts';
import { allOf, transaction, transactionWithEnd } from '#server/database/transaction.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, addUser, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const openUser = () => addUser(server.db, server.clock, `${crypto.randomUUID()}@example.org`);

async function nameOf(id: string): Promise<string | undefined> {
  const [user] = await server.db.orm.select().from(users).where(eq(users.id, id));
  return user?.username;
}

/** Waits until no connection is in use. Resolves to their number. */
async function connectionsAtRest(): Promise<number> {
  const { pool } = server.db;
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  return pool.totalCount;
}

test('typed and raw statements see each other’s changes before the commit', async () => {
  const id = await openUser();
  const seen = await transaction(server.db, async (tx) => {
    await tx.update(users).set({ username: 'typed' }).where(eq(users.id, id));
    const text = 'SELECT username FROM users WHERE id = $1';
    const { rows } = await tx.$client.query<{ username: string }>(text, [id]);
    await tx.$client.query("UPDATE users SET username = 'raw' WHERE id = $1", [id]);
    const [typed] = await tx.select().from(users).where(eq(users.id, id));
    expect(await nameOf(id)).not.toBe('raw');
    return [rows[0]?.username, typed?.username];
  });
  expect(seen).toEqual(['typed', 'raw']);
  expect(await nameOf(id)).toBe('raw');
});

test('an error rolls everything back, is thrown unchanged and leaves the connection usable', async () => {
  const id = await openUser();
  const before = await nameOf(id);
  const connections = await connectionsAtRest();
  const refusal = new Error('refused');
  const attempt = transaction(server.db, async (tx) => {
    await tx.$client.query("UPDATE users SET username = 'never' WHERE id = $1", [id]);
    throw refusal;
  });
  await expect(attempt).rejects.toBe(refusal);
  expect(await nameOf(id)).toBe(before);
  expect(await connectionsAtRest()).toBe(connections);
});

const rename = (name: string, id: string) => ({
  text: 'UPDATE users SET username = $1 WHERE id = $2',
  values: [name, id],
});

test('statements deferred to the end run after all others, in their order, and are committed with them', async () => {
  const id = await openUser();
  const result = await transactionWithEnd(server.db, async (tx) => {
    await tx.$client.query(rename('first', id));
    return { result: 'done', end: [rename('second', id), rename('third', id)] };
  });
  expect([result, await nameOf(id)]).toEqual(['done', 'third']);
});

test('the error of a deferred statement is thrown, rolls everything back and leaves the connection usable', async () => {
  const id = await openUser();
  const before = await nameOf(id);
  const connections = await connectionsAtRest();
  const attempt = transactionWithEnd(server.db, async (tx) => {
    await tx.$client.query(rename('never', id));
    const failing = { text: 'SELECT 1 / $1::int', values: [0] };
    return { result: 'done', end: [rename('nor this', id), failing, rename('nor that', id)] };
  });
  await expect(attempt).rejects.toMatchObject({ code: '22012' });
  expect(await nameOf(id)).toBe(before);
  expect(await connectionsAtRest()).toBe(connections);
});

test('if several statements sent together fail, the error of the first one is thrown, after all have ended', async () => {
  const id = await openUser();
  const ended: string[] = [];
  const attempt = transaction(server.db, async (tx) => {
    // As with nested async functions, this error arrives later than that of the next statement.
    const failing = async () => {
      try {
        await tx.$client.query('SELECT 1 / 0');
      } finally {
        await new Promise((resolve) => setTimeout(resolve, 20));
        ended.push('first');
      }
    };
    await allOf([failing(), tx.$client.query(rename('never', id))]);
  });
  await expect(attempt).rejects.toMatchObject({ code: '22012' });
  expect(ended).toEqual(['first']);
});

test('a connection that breaks inside a transaction is reported as lost and is not used again', async () => {
  const id = await openUser();
  const before = await nameOf(id);
  let lost: unknown;
  const attempt = transaction(server.db, async (tx) => {
    lost = tx.$client;
    await tx.update(users).set({ username: 'never' }).where(eq(users.id, id));
    const { rows } = await tx.$client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await server.db.pool.query('SELECT pg_terminate_backend($1::int)', [rows[0]?.pid]);
    await tx.$client.query('SELECT 1');
  });
  await expect(attempt).rejects.toSatisfy(isConnectionLost);
  expect(await nameOf(id)).toBe(before);
  const client = await server.db.pool.connect();
  expect(client).not.toBe(lost);
  client.release();
});

oneMachineTest(
  'a change that PostgreSQL aborts to end a deadlock gets a 503 with Retry-After, and takes effect once when it is repeated',
  async () => {
    const account = await server.addAccount();
    const { id } = await addPlant(server, account);
    const water = () =>
      requestAs(server, account)('POST', `/api/plants/${id}/water`, { key: 'op-1' });
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
