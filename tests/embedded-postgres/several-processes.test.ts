import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freshDataDir, usedDataDir } from './support/data-folder.ts';
import { type Opener, openElsewhere } from './support/open-elsewhere.ts';
import { openHere, postmasterPid, query, untilGone } from './support/running-postgres.ts';

test('two parallel first starts share one database', async () => {
  const dataDir = freshDataDir();
  const [one, other] = await Promise.all([openElsewhere(dataDir), openElsewhere(dataDir)]);
  expect([one.adopted, other.adopted].sort()).toEqual([false, true]);
  await one.query('CREATE TABLE met (id int)');
  await other.query('INSERT INTO met VALUES (7)');
  expect(await one.query('SELECT id FROM met')).toEqual([{ id: 7 }]);
  expect(readdirSync(dataDir)).toEqual(['postgres']);
  await Promise.all([one.stop(), other.stop()]);
  expect(postmasterPid(dataDir)).toBeUndefined();
});

test('a kill -9 loses no acknowledged row and leaves no PostgreSQL behind', async () => {
  const dataDir = await usedDataDir();
  const opener = await openElsewhere(dataDir);
  await opener.query('CREATE TABLE kept (id int PRIMARY KEY)');
  const acknowledged: number[] = [];
  const writers = [0, 1, 2, 3].map((lane) => writeUntilDeath(opener, lane, acknowledged));
  while (acknowledged.length < 200) await sleep(1);
  const pid = postmasterPid(dataDir) ?? 0;
  await opener.kill();
  await Promise.all(writers);
  await untilGone(pid, dataDir);

  const { connection } = await openHere(dataDir);
  const rows = await query<{ id: number }>(connection, 'SELECT id FROM kept');
  const kept = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

test('a start right after a kill -9 succeeds although the old server is still ending', async () => {
  const dataDir = await usedDataDir();
  const first = await openElsewhere(dataDir);
  await first.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  const pid = postmasterPid(dataDir) ?? 0;
  await first.kill();
  const second = await openHere(dataDir);
  // `second` may have adopted the old server while that was still shutting down, so ensureRunning starts a new one.
  await untilGone(pid, dataDir);
  await second.ensureRunning();
  expect(await query(second.connection, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
});

test.each([['is killed', 'kill'] as const, ['stops', 'stop'] as const])(
  'an adopter keeps working when the process that started the server %s',
  async (_, end) => {
    const dataDir = await usedDataDir();
    const owner = await openElsewhere(dataDir);
    const adopter = await openHere(dataDir);
    expect(adopter.adopted).toBe(true);
    await owner.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
    const pid = postmasterPid(dataDir) ?? 0;
    await owner[end]();
    await untilGone(pid, dataDir);
    await adopter.ensureRunning();
    expect(adopter.adopted).toBe(false);
    expect(await query(adopter.connection, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  },
);

test('processes that notice a lost server at the same time start only one new server', async () => {
  const dataDir = await usedDataDir();
  const owner = await openElsewhere(dataDir);
  const adopters = await Promise.all([openElsewhere(dataDir), openElsewhere(dataDir)]);
  const here = await openHere(dataDir);
  const pid = postmasterPid(dataDir) ?? 0;
  await owner.kill();
  await untilGone(pid, dataDir);
  await Promise.all([...adopters, here].map((opener) => opener.ensureRunning()));
  const text = 'SELECT pg_postmaster_start_time()::text AS since';
  const since = await Promise.all([
    query(here.connection, text),
    ...adopters.map((opener) => opener.query(text)),
  ]);
  expect(since[1]).toEqual(since[0]);
  expect(since[2]).toEqual(since[0]);
  await Promise.all(adopters.map((opener) => opener.stop()));
});

async function writeUntilDeath(opener: Opener, lane: number, acknowledged: number[]) {
  for (let id = lane; ; id += 4) {
    try {
      await opener.query(`INSERT INTO kept VALUES (${id})`);
    } catch {
      return;
    }
    acknowledged.push(id);
  }
}
