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
  expect(results.filter(({ missedCrash }) => missedCrash)).toEqual([]);
  // On a slow machine a run may pass fewer points than the run that counted them, and then it does not crash.
  const crashed = results.filter(({ crashes }) => crashes > 0).length;
  expect(crashed).toBeGreaterThan(results.length * 0.8);
  reportFigures(
    task,
    `${schedules} schedules with ${crashPoints} crash points, ${results.length} runs, ${crashed} with a crash`,
  );
});
