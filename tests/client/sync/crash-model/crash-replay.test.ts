import { expect, test } from 'vitest';
import { countOf } from '../../../support/seeded.ts';
import { setUpCrashModel } from './crash-model.ts';

/** SPRIG_SYNC_SCHEDULE and SPRIG_SYNC_CRASH come from the line that a failing run prints; without them the first. */
const schedule = countOf('SPRIG_SYNC_SCHEDULE', 0);
const crashAt = countOf('SPRIG_SYNC_CRASH', -1);
const { timeout, play } = setUpCrashModel();

test('a run can be replayed alone and gives the same result', { timeout }, async () => {
  const run = { schedule, crashes: crashAt < 0 ? ('by chance' as const) : { at: crashAt } };
  const first = await play(run);
  const again = await play(run);
  expect(again).toEqual(first);
});
