import { expect, test } from 'vitest';
import { tellFigures } from '../../../support/figures.ts';
import { setUpCrashModel } from './crash-model.ts';
import type { Played } from './schedule.ts';

const { seed, count, timeout, playAll } = setUpCrashModel();
const share = 0.6;

test('with any mix of crashes, losses, delays and refusals no op is lost or applied twice, and all sides end up equal', {
  timeout,
}, async ({ task }) => {
  const budget = Math.ceil(count * share);
  let schedule = 0;
  const played = await playAll(() =>
    schedule < budget ? { schedule: schedule++, crashes: 'by chance' } : null,
  );
  const sum = (of: (one: Played) => number) => played.reduce((all, one) => all + of(one), 0);
  const crashes = sum((one) => one.crashes);
  expect(played).toHaveLength(budget);
  expect(crashes).toBeGreaterThan(0);
  tellFigures(
    task,
    `${budget} schedules of seed ${seed}: ${sum((one) => one.intents)} intents, ` +
      `${sum((one) => one.effects)} effects, ${crashes} crashes`,
  );
});
