import { afterAll, beforeAll, expect, vi } from 'vitest';
import { defaultTimeoutMs } from '#client/api/send.ts';
import { photoTimeoutMs } from '#contract/photos.ts';
import { countOf, runSeed } from '../../../support/seeded.ts';
import type { CrashPlan } from './faults.ts';
import { createModelServers, type ModelServer, type ModelServers } from './model-server.ts';
import { runSchedule, type ScheduleResult } from './schedule.ts';

/*
 * The crash model runs the real engine, device database and server through random schedules:
 *
 *   schedule.ts        what happens in a schedule: changes, engine runs, interruptions, faults
 *   faults.ts          what fails, per crash point, request, operation of a request, announcement
 *   device-clocks.ts   clocks that are set wrong and right again
 *   users/             what people change and decide
 *   model-device.ts    a device                        model-engine.ts   its engines
 *   crash-point.ts     where an engine can crash       model-network.ts  faults on the way to the server
 *   live-streams.ts    announcements of changes        model-server.ts   the server
 *   checks/            what a device may send, how old its rows may be, what a history must keep showing, what the
 *                      server executed (effect-log.ts), and the comparison at the end (find-violations.ts)
 *
 * To add a kind of change, extend users/ and checks/effect-log.ts. To add a kind of fault, extend faults.ts and the
 * file that applies it.
 *
 * To verify that the model finds mistakes, make one of these in src/client/sync. A few hundred schedules find each:
 *
 * - `filterValidClaims` returns all ops, or `isNewest` ignores the generation.
 * - A confirmed op is deleted without storing its result, or an op is sent before its request is stored.
 * - A 424 counts as done, or a replayed response counts as the newest.
 * - The ETag of a list is saved without its rows.
 * - A journal is stored as complete although it lacks entries of other devices.
 * - The client waits for a stored backoff or pause, however far in the future it ends.
 */

/** Enough to repeat one run with the same seed. */
export interface ScheduleRun {
  schedule: number;
  crashPlan: CrashPlan;
}

export interface CrashModel {
  seed: number;
  /** How many runs all test files make together. */
  count: number;
  /** ms */
  timeout: number;
  /** One run. An error contains the command that repeats it. */
  run: (run: ScheduleRun) => Promise<ScheduleResult>;
  /** Runs on all servers until `next` returns null or a run fails. */
  runAll: (next: () => ScheduleRun | null) => Promise<ScheduleResult[]>;
}

const serverCount = 3;

/** With the seed of `npm test`, enough to find each mistake named above. */
const defaultCount = 100;

/** SPRIG_SYNC_SCHEDULES is the number of runs, SPRIG_SEED the seed. */
export function setUpCrashModel(): CrashModel {
  const seed = runSeed();
  const count = countOf('SPRIG_SYNC_SCHEDULES', defaultCount);
  let all: ModelServers;
  let servers: ModelServer[];
  beforeAll(async () => {
    vi.stubGlobal('setTimeout', withoutRequestTimeouts(setTimeout));
    all = await createModelServers();
    servers = await Promise.all(Array.from({ length: serverCount }, () => all.open()));
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await all.close();
  });

  async function runOn(server: ModelServer, run: ScheduleRun): Promise<ScheduleResult> {
    const { schedule, crashPlan } = run;
    const result = await runSchedule(server, seed, schedule, crashPlan).catch((error: unknown) => {
      throw new Error(repeatCommand(seed, run), { cause: error });
    });
    expect(result.violations, repeatCommand(seed, run)).toEqual([]);
    return result;
  }

  return {
    seed,
    count,
    // Beside other test files a schedule can take six seconds.
    timeout: 60_000 + count * 10_000,
    run: async (run) => {
      const [server] = servers;
      if (!server) throw new Error('no server');
      return runOn(server, run);
    },
    runAll: async (next) => {
      const results: ScheduleResult[] = [];
      let hasFailed = false;
      async function runUntilDone(server: ModelServer): Promise<void> {
        for (let run = next(); run && !hasFailed; run = next()) {
          results.push(
            await runOn(server, run).catch((error: unknown) => {
              hasFailed = true;
              throw error;
            }),
          );
        }
      }
      const ended = await Promise.allSettled(servers.map(runUntilDone));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
      return results;
    },
  };
}

/**
 * A `setTimeout` that ignores the timeouts of requests. They run in real time: on a slow machine one could expire while
 * another engine runs at a crash point, and a repeated run would differ.
 */
function withoutRequestTimeouts(start: typeof setTimeout) {
  const isOfRequest = (ms?: number) => ms === defaultTimeoutMs || ms === photoTimeoutMs;
  return (run: () => void, ms?: number) =>
    isOfRequest(ms) ? start(() => undefined, 0) : start(run, ms);
}

function repeatCommand(seed: number, { schedule, crashPlan }: ScheduleRun): string {
  const at = typeof crashPlan === 'object' ? crashPlan.at : 0;
  const crash = crashPlan === 'random' ? '' : ` SPRIG_SYNC_CRASH=${at}`;
  return `SPRIG_SEED=${seed} SPRIG_SYNC_SCHEDULE=${schedule}${crash} npx vitest run --project server tests/client/sync/crash-model/crash-replay`;
}
