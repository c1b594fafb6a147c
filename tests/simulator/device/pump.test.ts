import { expect, test } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import { createPump, removeReported, runCommands } from '#simulator/device/pump.ts';

const now = Date.UTC(2026, 2, 9, 5);

function command(id: string, amount_ml = 150, lastsMs = 120_000): DeviceCommand {
  return { id, type: 'water', amount_ml, expires_at: new Date(now + lastsMs).toISOString() };
}

test('a command runs once, however often it comes', () => {
  const pump = createPump();
  expect(runCommands(pump, [command('a')], now)).toBe(150);
  expect(runCommands(pump, [command('a'), command('b', 50)], now + 1)).toBe(50);
  removeReported(pump, pump.unreported);
  expect(runCommands(pump, [command('a'), command('b', 50)], now + 2)).toBe(0);
  expect(runCommands(pump, [command('c'), command('c')], now)).toBe(150);
});

test('a command runs until it expires and never afterwards', () => {
  const inTime = createPump();
  expect(runCommands(inTime, [command('a')], now + 119_999)).toBe(150);
  const late = createPump();
  expect(runCommands(late, [command('a')], now + 120_000)).toBe(0);
  expect(late.unreported).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
  expect(runCommands(late, [command('a')], now)).toBe(0);
});

test('a malformed expiry counts as expired', () => {
  const pump = createPump();
  expect(runCommands(pump, [{ ...command('a'), expires_at: 'soon' }], now)).toBe(0);
});

test('an empty tank gives nothing and reports a failure', () => {
  const pump = createPump(true);
  expect(runCommands(pump, [command('a')], now)).toBe(0);
  expect(pump.unreported).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
});

test('reported results are removed, later ones are kept', () => {
  const pump = createPump();
  runCommands(pump, [command('a')], now);
  const told = [...pump.unreported];
  runCommands(pump, [command('b', 70)], now);
  removeReported(pump, told);
  expect(pump.unreported).toEqual([{ id: 'b', status: 'done', amount_ml: 70 }]);
});
