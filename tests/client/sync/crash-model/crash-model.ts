import { afterAll, beforeAll, expect } from 'vitest';
import { countOf, runSeed } from '../../../support/seeded.ts';
import { type Lane, type ModelServer, openModelServer } from './model-server.ts';
import { type Played, playSchedule } from './schedule.ts';
import type { CrashPlan } from './world.ts';

export interface Run {
  schedule: number;
  crashes: CrashPlan;
}

export interface CrashModel {
  seed: number;
  /** How many runs all files together are to make. */
  count: number;
  /** Time for all of them, ms. */
  timeout: number;
  /** One run on the first lane; an error names the line that repeats it. */
  play: (run: Run) => Promise<Played>;
  /** Plays runs on all lanes until there are none left, or one went wrong. */
  playAll: (next: () => Run | null) => Promise<Played[]>;
}

const laneCount = 3;

/**
 * The real engine, the real device database and the real server, driven through schedules of two devices by a seeded
 * chance. SPRIG_SYNC_SCHEDULES says how many, SPRIG_SEED which.
 */
export function setUpCrashModel(): CrashModel {
  const seed = runSeed();
  const count = countOf('SPRIG_SYNC_SCHEDULES', 500);
  let server: ModelServer;
  let lanes: Lane[];
  beforeAll(async () => {
    server = await openModelServer();
    lanes = await Promise.all(Array.from({ length: laneCount }, () => server.openLane()));
  });
  afterAll(() => server.close());

  async function playOn(lane: Lane, run: Run): Promise<Played> {
    const played = await playSchedule(lane, seed, run.schedule, run.crashes).catch(
      (error: unknown) => {
        throw new Error(replay(seed, run), { cause: error });
      },
    );
    expect(played.faults, replay(seed, run)).toEqual([]);
    return played;
  }

  return {
    seed,
    count,
    timeout: 60_000 + count * 1_000,
    play: async (run) => {
      const [lane] = lanes;
      if (!lane) throw new Error('no lane');
      return playOn(lane, run);
    },
    playAll: async (next) => {
      const played: Played[] = [];
      let isBroken = false;
      async function playOut(lane: Lane): Promise<void> {
        for (let run = next(); run && !isBroken; run = next()) {
          played.push(
            await playOn(lane, run).catch((error: unknown) => {
              isBroken = true;
              throw error;
            }),
          );
        }
      }
      const ended = await Promise.allSettled(lanes.map(playOut));
      for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
      return played;
    },
  };
}

/** The line that repeats a run. */
function replay(seed: number, { schedule, crashes }: Run): string {
  const at = typeof crashes === 'object' ? crashes.at : 0;
  const crash = crashes === 'by chance' ? '' : ` SPRIG_SYNC_CRASH=${at}`;
  return `SPRIG_SEED=${seed} SPRIG_SYNC_SCHEDULE=${schedule}${crash} npx vitest run --project server tests/client/sync/crash-model/crash-replay`;
}
