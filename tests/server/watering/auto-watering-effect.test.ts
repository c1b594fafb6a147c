import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandResult } from '#contract/logs.ts';
import { type Random, seeded } from '../../support/seeded.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { minuteMs, openPot, type Pot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Approximately normally distributed, with mean 0 and standard deviation 1: the sum of 12 uniform values. */
function noiseOf(random: Random): number {
  let sum = -6;
  for (let n = 0; n < 12; n += 1) sum += random.below(10_000) / 10_000;
  return sum;
}

interface Sensor {
  everyMin: number;
  /** %; the standard deviation */
  noise: number;
  /** %, where `water` is the number of minutes since the last command ran (infinite before the first) */
  soil: (water: number) => number;
}

/**
 * Sends readings and reports each command as done. Resolves to 'water' at the fourth command, 'locked' if the plant is
 * locked before, or null after 20 hours.
 */
async function afterThreeCommands(pot: Pot, sensor: Sensor, seed: number): Promise<string | null> {
  const random = seeded(seed);
  let commandsRun = 0;
  let water = Number.POSITIVE_INFINITY;
  let command_results: CommandResult[] = [];
  for (let minute = 0; minute < 20 * 60; minute += sensor.everyMin) {
    server.clock.advance(sensor.everyMin * minuteMs);
    water += sensor.everyMin;
    const soil_humidity = sensor.soil(water) + sensor.noise * noiseOf(random);
    const commands = await pot.log({ soil_humidity, command_results });
    command_results = commands.map(({ id }) => ({ id, status: 'done' }));
    if (commands.length > 0) {
      commandsRun += 1;
      water = 0;
    }
    if (commandsRun > 3) return 'water';
    const { auto_watering_reason } = await pot.record();
    if (auto_watering_reason === 'locked') return 'locked';
  }
  return null;
}

test.each([1, 5])(
  'three commands without effect lock at least three of four plants, with noisy readings every %i min',
  async (everyMin) => {
    const results = [];
    for (const seed of [1, 2, 3, 4]) {
      const pot = await openPot(server);
      results.push(await afterThreeCommands(pot, { everyMin, noise: 1, soil: () => 20 }, seed));
    }
    // The soil humidity before a command is the median of only three readings. If it is low by chance, later readings
    // look like an effect.
    expect(results.filter((result) => result === 'locked').length).toBeGreaterThanOrEqual(3);
  },
);

/** Wet for some minutes, then dry again. */
const wetFor = (minutes: number) => (water: number) =>
  water > 5 && water <= 5 + minutes ? 45 : 20;
const rising = (perHour: number) => (water: number) =>
  20 + (Number.isFinite(water) ? Math.min(9, (water * perHour) / 60) : 0);

test.each<[string, Sensor]>([
  ['is dry again after a quarter of an hour', { everyMin: 1, noise: 1, soil: wetFor(15) }],
  ['is dry again after half an hour', { everyMin: 15, noise: 0.5, soil: wetFor(30) }],
  ['rises slowly while it is still too dry', { everyMin: 1, noise: 0.3, soil: rising(5) }],
  ['rises slowly between rare readings', { everyMin: 20, noise: 0.3, soil: rising(5) }],
])('a plant whose soil %s is not locked', async (_, sensor) => {
  for (const seed of [1, 2]) {
    expect(await afterThreeCommands(await openPot(server), sensor, seed)).toBe('water');
  }
});

test('one high reading among many is not the effect of a command', async () => {
  const pot = await openPot(server);
  const spike = { everyMin: 1, noise: 0, soil: (water: number) => (water === 20 ? 60 : 20) };
  expect(await afterThreeCommands(pot, spike, 1)).toBe('locked');
});
