import { expect, test } from 'vitest';
import { countOf } from '../../../support/seeded.ts';
import { setUpCrashModel } from './crash-model.ts';

/** Set by the command that a failing run prints. Without SPRIG_SYNC_CRASH crashes are random. */
const schedule = countOf('SPRIG_SYNC_SCHEDULE', 0);
const crashAt = countOf('SPRIG_SYNC_CRASH', -1);
const { timeout, run } = setUpCrashModel();

test('a repeated run gives the same result', { timeout }, async () => {
  const scheduleRun = {
    schedule,
    crashPlan: crashAt < 0 ? ('random' as const) : { at: crashAt },
  };
  const first = await run(scheduleRun);
  const second = await run(scheduleRun);
  expect(second).toEqual(first);
});
