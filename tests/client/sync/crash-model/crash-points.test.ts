import { expect, test } from 'vitest';
import { reportFigures } from '../../../support/figures.ts';
import { type ScheduleRun, setUpCrashModel } from './crash-model.ts';

const { count, timeout, run, runAll } = setUpCrashModel();
const share = 0.4;
/** Far above the numbers in crash-random.test.ts, so that other schedules run here. */
const firstSchedule = 1_000_000;
/**
 * On a slow machine a run may pass fewer points than the run that counted them. Then the schedule runs
 * again with a crash at the last point that it passed. This is the maximum number of runs.
 */
const rounds = 4;

test('with a crash at any point no op is lost or applied twice, and devices and server end up equal', {
  timeout,
}, async ({ task }) => {
  const budget = Math.floor(count * share);
  let runs = 0;
  let schedules = 0;
  let crashPoints = 0;
  let pending: ScheduleRun[] = [];
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
  const planned = pending.length;
  let crashed = 0;
  for (let round = 0; round < rounds && pending.length > 0; round++) {
    const results = await runAll(() => pending.shift() ?? null);
    expect(results.filter(({ missedCrash }) => missedCrash)).toEqual([]);
    crashed += results.reduce((sum, { crashes }) => sum + crashes, 0);
    pending = results
      .filter(({ crashes }) => crashes === 0)
      .map((one) => ({ schedule: one.schedule, crashPlan: { at: one.crashPoints } }));
  }
  expect(crashed).toBe(planned);
  reportFigures(
    task,
    `${schedules} schedules with ${crashPoints} crash points, ${planned} runs with one crash each`,
  );
});
