import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { reportFigures } from '../../support/figures.ts';
import { countOf, type Random, runSeed, seeded } from '../../support/seeded.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';
import { findDamage } from './support/find-damage.ts';
import { killServer, killWhileStarting, victims } from './support/kill-server.ts';
import { readStored } from './support/stored.ts';
import { Writer } from './support/writer.ts';

const seed = runSeed();
const rounds = Array.from({ length: countOf('SPRIG_KILL_ROUNDS', 3) }, (_, round) => ({
  round: round + 1,
  seed,
  victim: victims[round % victims.length] ?? 'Node',
}));
const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const dataDir = reachableDataDir();
const env = { DATA_DIR: dataDir };
/** The same writers in all rounds: what was acknowledged in the first is still checked after the last. */
const writers = [1, 2, 3, 4].map((n) => new Writer(`w${n}`, seeded(seed, -n)));
/** A write waits for the disk, which other tests use too. */
const patience = { timeout: 60_000 };
const figures = { resent: 0, startsKilled: 0 };

let intact = true;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  server = await startServer({ env });
  await signUp(server, person);
  token = await signIn(server.url, person);
});
afterAll(async () => {
  await server.kill();
  await removeDataDir(dataDir);
});

const book = () => writers.flatMap((writer) => writer.book);
const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
const damage = async () => findDamage(book(), await readStored(dataDir));

// Each round continues with what the earlier ones have stored.
describe('one server', { shuffle: false }, () => {
  test.each(rounds)(
    'round $round of seed $seed: after a kill -9 of $victim every acknowledged write is stored once and completely',
    { timeout: 240_000 },
    async ({ round, victim }) => {
      if (!intact) throw new Error('an earlier round failed: this one would prove nothing');
      intact = false;
      const random = seeded(seed, round);
      const writing = Promise.all(writers.map((writer) => writer.write(server.url, token)));
      await aRandomMoment(random);
      await killServer(victim, server, dataDir, random);
      if (victim === 'PostgreSQL') await recoverByItself(writing);
      else await restart(random, writing);

      expect(await damage()).toEqual([]);
      for (const writer of writers) {
        figures.resent += await writer.resendWithoutResponse(server.url, token);
        await writer.resendWithResponse(server.url, token);
      }
      expect(await damage()).toEqual([]);
      expect(acknowledged()).toBe(book().length);
      expect(await plantsOverHttp()).toEqual(await plantsInDatabase());
      intact = true;
    },
  );

  test('after all the kills of this file the server still shuts down cleanly on SIGTERM', async ({
    task,
  }) => {
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    reportFigures(
      task,
      `${rounds.length} rounds of seed ${seed}, ${acknowledged()} acknowledged writes, 0 lost or half done; ` +
        `${figures.resent} ones without a response sent again with one effect each, ${figures.startsKilled} starts killed too`,
    );
  });
});

async function aRandomMoment(random: Random): Promise<void> {
  const enough = acknowledged() + 5 + random.below(150);
  await expect.poll(acknowledged, { ...patience, interval: 1 }).toBeGreaterThan(enough);
  await sleep(random.below(10));
}

/**
 * Waits until the server has restarted PostgreSQL by itself and every writer gets responses again. Then stops the
 * writers.
 */
async function recoverByItself(writing: Promise<unknown>): Promise<void> {
  const before = writers.map((writer) => writer.acknowledged);
  await expect
    .poll(() => writers.every((writer, i) => writer.acknowledged > (before[i] ?? 0) + 1), {
      ...patience,
      message: `the server does not recover; its output: ${server.output().slice(-2_000)}`,
    })
    .toBe(true);
  for (const writer of writers) writer.pause();
  await writing;
}

async function restart(random: Random, writing: Promise<unknown>): Promise<void> {
  await writing;
  while (random.chance(0.3)) {
    await killWhileStarting(env, random);
    figures.startsKilled += 1;
  }
  server = await startServer({ env });
}

async function plantsOverHttp(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}/api/plants`, { headers });
  const plants = (await response.json()) as Record<string, unknown>[];
  return plants
    .map(({ id, description, last_watered }) => ({ id, description, last_watered }))
    .sort(byId);
}

async function plantsInDatabase(): Promise<unknown[]> {
  const { plants } = await readStored(dataDir);
  return plants
    .map(({ id, description, last_watered }) => ({
      id,
      description,
      last_watered: last_watered?.toISOString() ?? null,
    }))
    .sort(byId);
}

function byId(a: { id?: unknown }, b: { id?: unknown }): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}
