import { afterEach, beforeEach, expect, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { plantPayload } from '../../support/factories.ts';
import { startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';
import { openedStream } from './support/live-stream.ts';

const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const dataDir = reachableDataDir();
let database: Awaited<ReturnType<typeof makeTestDatabase>>;
beforeEach(async () => {
  database = await makeTestDatabase();
});
afterEach(async () => {
  await database.drop();
  await removeDataDir(dataDir);
});

test.each<[string, () => Record<string, string>]>([
  ['the embedded PostgreSQL', () => ({ DATA_DIR: dataDir })],
  ['an outside PostgreSQL', () => ({ DATA_DIR: dataDir, DATABASE_URL: database.url })],
])(
  'with %s a change at one process is announced by the other, and a process that is stopped ends its streams before it exits',
  async (_, env) => {
    const settings = { env: { ...env(), JWT_SECRET: 'a secret that is long enough for tests' } };
    const one = await startServer(settings);
    const other = await startServer(settings);
    await signUp(one, person, [one, other]);
    const token = await signIn(one.url, person);
    const here = await openedStream(one.url, { token });
    const there = await openedStream(other.url, { token });
    const response = await fetch(`${one.url}/api/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(plantPayload()),
    });
    expect(response.status).toBe(201);
    for (const { events } of [here, there]) await expect.poll(events).toEqual(['open', 'change']);
    const order: string[] = [];
    other.signal('SIGTERM');
    await Promise.all([
      there.ended.then(() => order.push('stream')),
      other.ended.then((code) => order.push(`exit ${code}`)),
    ]);
    expect(order).toEqual(['stream', 'exit 0']);
    one.signal('SIGTERM');
    expect(await one.ended).toBe(0);
    await here.ended;
  },
  60_000,
);
