import { expect, test } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import { createPump, obey, settle } from '#simulator/device/pump.ts';

const now = Date.UTC(2026, 2, 9, 5);

function command(id: string, amount_ml = 150, lastsMs = 120_000): DeviceCommand {
  return { id, type: 'water', amount_ml, expires_at: new Date(now + lastsMs).toISOString() };
}

test('a command runs once, however often it comes', () => {
  const pump = createPump();
  expect(obey(pump, [command('a')], now)).toBe(150);
  expect(obey(pump, [command('a'), command('b', 50)], now + 1)).toBe(50);
  settle(pump, pump.untold);
  expect(obey(pump, [command('a'), command('b', 50)], now + 2)).toBe(0);
  expect(obey(pump, [command('c'), command('c')], now)).toBe(150);
});

test('a command runs until the moment it ends and never from then on', () => {
  const inTime = createPump();
  expect(obey(inTime, [command('a')], now + 119_999)).toBe(150);
  const late = createPump();
  expect(obey(late, [command('a')], now + 120_000)).toBe(0);
  expect(late.untold).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
  expect(obey(late, [command('a')], now)).toBe(0);
});

test('an end that is no moment is over', () => {
  const pump = createPump();
  expect(obey(pump, [{ ...command('a'), expires_at: 'soon' }], now)).toBe(0);
});

test('an empty tank gives nothing and says so', () => {
  const pump = createPump(true);
  expect(obey(pump, [command('a')], now)).toBe(0);
  expect(pump.untold).toEqual([{ id: 'a', status: 'failed', amount_ml: 0 }]);
});

test('what was told is forgotten, what came since is not', () => {
  const pump = createPump();
  obey(pump, [command('a')], now);
  const told = [...pump.untold];
  obey(pump, [command('b', 70)], now);
  settle(pump, told);
  expect(pump.untold).toEqual([{ id: 'b', status: 'done', amount_ml: 70 }]);
});
