import { expect, test } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import {
  addWater,
  createDevice,
  createPump,
  measure,
  removeReported,
  runCommands,
} from '#simulator/device/device.ts';
import { nextSoil, type Surroundings } from '#simulator/world/climate.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const now = Date.UTC(2026, 2, 9, 5);

const place: Surroundings = {
  seed: 8,
  outdoor: false,
  brightnessLux: 9_000,
  baseTemperature: 25,
  baseAirHumidity: 60,
  dryingPerDay: 6,
  fieldCapacity: 62,
};

test('soil humidity follows the simulated time, while readings carry the real time', () => {
  const device = createDevice(place, { humidity: 50, at: now });
  measure(device, now + dayMs, now + minuteMs);
  expect(device.soil).toEqual({ humidity: nextSoil(place, 50, now, now + dayMs), at: now + dayMs });
  expect(device.waiting).toMatchObject([{ timestamp: new Date(now + minuteMs).toISOString() }]);
  const soil = device.waiting[0]?.soil_humidity ?? Number.NaN;
  expect(Math.abs(soil - device.soil.humidity)).toBeLessThan(0.3);
});

test('a device keeps its last 500 readings while it cannot report', () => {
  const device = createDevice(place, { humidity: 50, at: now });
  for (let n = 1; n <= 503; n += 1) measure(device, now + n * minuteMs, now + n * minuteMs);
  expect(device.waiting).toHaveLength(500);
  expect(device.waiting[0]?.timestamp).toBe(new Date(now + 4 * minuteMs).toISOString());
  expect(device.waiting.at(-1)?.timestamp).toBe(new Date(now + 503 * minuteMs).toISOString());
});

test('a stuck sensor keeps reporting the same soil humidity while the temperature changes', () => {
  const device = createDevice(place, { humidity: 50, at: now }, { sensorIsStuck: true });
  for (let n = 0; n < 20; n += 1) measure(device, now + n * dayMs * 0.3, now + n * minuteMs);
  addWater(device, 200, now);
  measure(device, now + 7 * dayMs, now + 30 * minuteMs);
  expect(new Set(device.waiting.map(({ soil_humidity }) => soil_humidity)).size).toBe(1);
  expect(new Set(device.waiting.map(({ temperature }) => temperature)).size).toBeGreaterThan(5);
  expect(device.soil.humidity).not.toBe(50);
});

test('the water of a pump run raises the soil humidity, up to the capacity of the pot', () => {
  const device = createDevice(place, { humidity: 30, at: now });
  addWater(device, 150, now);
  expect(device.soil).toEqual({ humidity: 45, at: now });
  addWater(device, 150, now);
  addWater(device, 150, now);
  expect(device.soil.humidity).toBe(62);
});

test('watering a pot above its capacity does not lower the soil humidity', () => {
  const device = createDevice(place, { humidity: 70, at: now });
  addWater(device, 150, now);
  expect(device.soil.humidity).toBe(70);
});

function command(id: string, amount_ml = 150, lastsMs = 120_000): DeviceCommand {
  return { id, type: 'water', amount_ml, expires_at: new Date(now + lastsMs).toISOString() };
}

test('a command runs once, however often it is received', () => {
  const pump = createPump();
  expect(runCommands(pump, [command('a')], now)).toBe(150);
  expect(runCommands(pump, [command('a'), command('b', 50)], now + 1)).toBe(50);
  removeReported(pump, pump.unreported);
  expect(runCommands(pump, [command('a'), command('b', 50)], now + 2)).toBe(0);
  expect(runCommands(pump, [command('c'), command('c')], now)).toBe(150);
});

test('a command can be run until it expires, and never afterwards', () => {
  const inTime = createPump();
  expect(runCommands(inTime, [command('a')], now + 119_999)).toBe(150);
  const late = createPump();
  expect(runCommands(late, [command('a')], now + 120_000)).toBe(0);
  expect(late.unreported).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
  expect(runCommands(late, [command('a')], now)).toBe(0);
});

test('a command with a malformed expiry counts as expired', () => {
  const pump = createPump();
  expect(runCommands(pump, [{ ...command('a'), expires_at: 'soon' }], now)).toBe(0);
});

test('a pump with an empty tank gives no water and reports a failure', () => {
  const pump = createPump(true);
  expect(runCommands(pump, [command('a')], now)).toBe(0);
  expect(pump.unreported).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
});

test('reported results are removed, later ones are kept', () => {
  const pump = createPump();
  runCommands(pump, [command('a')], now);
  const reported = [...pump.unreported];
  runCommands(pump, [command('b', 70)], now);
  removeReported(pump, reported);
  expect(pump.unreported).toEqual([{ id: 'b', status: 'done', amount_ml: 70 }]);
});
