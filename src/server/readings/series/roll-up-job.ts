import { hourMs } from '#domain/time.ts';
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../http/app-deps.ts';
import {
  accountsOf,
  type Pause,
  pauseUnlessStopped,
  withPause,
} from '../../jobs/account-batches.ts';
import { type PeriodicJob, periodicJob, runJob } from '../../jobs/job.ts';
import { rollUpEnd, rollUpStep } from './roll-up.ts';

export interface RollUpOptions {
  db: Database;
  clock: Clock;
  /** Called with an error code. Messages are left out because they may contain row values. */
  onFailure: (code: string) => void;
  /** Half an hour by default. */
  intervalMs?: number;
  /** Waits after each step. */
  pause?: Pause;
}

/**
 * Rolls up readings at the start and then every half hour: those since the last run, however long ago that was, and the
 * hours of readings that arrived late. Any number of processes may run it.
 */
export function createRollUpJob(options: RollUpOptions): PeriodicJob {
  const run = (stopping: AbortSignal) => rollUpReadings(options, stopping);
  return periodicJob(options.intervalMs ?? hourMs / 2, run);
}

/** Rolls up the readings of all accounts. Never rejects. */
export async function rollUpReadings(
  options: RollUpOptions,
  stopping?: AbortSignal,
): Promise<void> {
  const { db, clock, pause = pauseUnlessStopped } = options;
  await runJob(options, async (attempt) => {
    for await (const userId of accountsOf(db)) {
      let plants: string[] = [];
      await attempt(async () => {
        plants = await plantsToRollUp(db, userId, clock());
      });
      for (const id of plants) {
        const step = () => rollUpStep(db, { userId, id }, clock());
        await attempt(async () => {
          let isBehind = true;
          while (isBehind && !stopping?.aborted) isBehind = await withPause(step, pause, stopping);
        });
      }
      if (stopping?.aborted) break;
    }
  });
}

/**
 * The account's plants that need a step. They have readings to roll up, hours to roll up again, or a progress in the
 * future, because the clock of a server was ahead.
 */
async function plantsToRollUp({ pool }: Database, userId: string, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'plants-to-roll-up',
    text: `SELECT p.id FROM plants p
      LEFT JOIN rollup_progress r ON r.user_id = $1 AND r.plant_id = p.id
      WHERE p.user_id = $1 AND (
        r.rolled_until > $3
        OR EXISTS (SELECT FROM rollup_due d WHERE d.user_id = $1 AND d.plant_id = p.id)
        OR EXISTS (SELECT FROM sensor_logs l WHERE l.user_id = $1 AND l.plant_id = p.id
          AND l.ts >= coalesce(r.rolled_until, '-infinity') AND l.ts < $2))
      ORDER BY p.id`,
    values: [userId, rollUpEnd(now), now],
  });
  return rows.map(({ id }) => id);
}
