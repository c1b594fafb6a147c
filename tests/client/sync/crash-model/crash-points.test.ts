import { expect, test } from 'vitest';
import { tellFigures } from '../../../support/figures.ts';
import { type Run, setUpCrashModel } from './crash-model.ts';

const { count, timeout, play, playAll } = setUpCrashModel();
const share = 0.4;

test('with a crash at any point, no op is lost or applied twice, and devices and server end up equal', {
  timeout,
}, async ({ task }) => {
  const budget = Math.floor(count * share);
  let runs = 0;
  let schedules = 0;
  let steps = 0;
  const pending: Run[] = [];
  while (runs < budget) {
    const schedule = 1_000_000 + schedules;
    const dry = await play({ schedule, crashes: 'never' });
    schedules += 1;
    runs += 1;
    steps += dry.steps;
    const points = Math.min(dry.steps, budget - runs);
    for (let at = 1; at <= points; at++) pending.push({ schedule, crashes: { at } });
    runs += points;
  }
  const played = await playAll(() => pending.shift() ?? null);
  expect(played.reduce((sum, { crashes }) => sum + crashes, 0)).toBe(played.length);
  tellFigures(
    task,
    `${schedules} schedules with ${steps} points, ${played.length} crashed at one each`,
  );
});
