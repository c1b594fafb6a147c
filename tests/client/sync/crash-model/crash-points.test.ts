import { expect, test } from 'vitest';
import { reportFigures } from '../../../support/figures.ts';
import { type ScheduleRun, setUpCrashModel } from './crash-model.ts';

const { count, timeout, run, runAll } = setUpCrashModel();
const share = 0.4;
/** Far above the numbers in crash-random.test.ts, so that other schedules run here. */
const firstSchedule = 1_000_000;

test('with a crash at any point no op is lost or applied twice, and devices and server end up equal', {
  timeout,
}, async ({ task }) => {
  const budget = Math.floor(count * share);
  let runs = 0;
  let schedules = 0;
  let crashPoints = 0;
  const pending: ScheduleRun[] = [];
  while (runs < budget) {
    const schedule = firstSchedule + schedules;
    const { crashPoints: points } = await run({ schedule, crashPlan: 'never' });
    schedules += 1;
    runs += 1;
    crashPoints += points;
    // If the budget is too small for a crash at every point, the crashes are spread over the whole schedule.
    const crashes = Math.min(points, budget - runs);
    for (let n = 1; n <= crashes; n++) {
      pending.push({ schedule, crashPlan: { at: Math.floor((n * points) / crashes) } });
    }
    runs += crashes;
  }
  const results = await runAll(() => pending.shift() ?? null);
  expect(results.reduce((sum, { crashes }) => sum + crashes, 0)).toBe(results.length);
  reportFigures(
    task,
    `${schedules} schedules with ${crashPoints} crash points, ${results.length} runs with one crash each`,
  );
});
