import { expect, onTestFinished, test, vi } from 'vitest';
import { zoneOf } from '#client/session/zone.ts';
import type { User } from '#contract/auth.ts';
import { dayMs } from '#domain/time.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';

const user = (time_zone: string | null): User => ({
  is_verified: true,
  username: 'Rosa',
  email: 'rosa@example.org',
  device_key: 'rosa@example.org',
  time_zone,
});
const now = Date.parse('2026-11-20T08:00:00Z');
const checkedAt = expect.any(Number);
const berlin = timeZoneOf('Europe/Berlin');
/** Offsets as this device computed them before the rules of the zone changed. */
const outdated = { name: 'Europe/Berlin', offsets: [[0, 0]] as const };

test('a profile without a chosen zone has UTC+7', () => {
  expect(zoneOf(user(null), berlin)).toBe(defaultZone);
});

test('a start uses the stored offsets as they are', () => {
  expect(zoneOf(user('Europe/Berlin'), null, outdated)).toEqual(outdated);
});

test.each([null, 'x', [], [[0]], [['a', 1]]])(
  'stored offsets of %j are computed again',
  (offsets) => {
    expect(zoneOf(user('Europe/Berlin'), null, { offsets })).toEqual({ ...berlin, checkedAt });
  },
);

test('a profile from the server with an unchanged zone keeps the same zone object', () => {
  const checked = { ...berlin, checkedAt: now };
  expect(zoneOf(user('Europe/Berlin'), checked, {}, now)).toBe(checked);
  const stored = { offsets: [...berlin.offsets], checkedAt: now };
  expect(zoneOf(user('Europe/Berlin'), checked, stored, now)).toBe(checked);
});

test('the offsets of a zone are compared with the rules of this device once a month', () => {
  const format = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  onTestFinished(() => format.mockRestore());
  let zone = zoneOf(user('Europe/Berlin'), null, { offsets: berlin.offsets }, now);
  expect(zone).toEqual(berlin);
  const starts: number[] = [];
  for (let day = 0; day < 70; day += 1) {
    format.mockClear();
    zone = zoneOf(user('Europe/Berlin'), zone, {}, now + day * dayMs);
    if (format.mock.calls.length > 0) starts.push(day);
  }
  expect(starts).toEqual([0, 30, 60]);
  expect(zone).toEqual({ ...berlin, checkedAt: now + 60 * dayMs });
});

test('after the device’s clock was set back the offsets are compared again', () => {
  const checked = { ...berlin, checkedAt: now + dayMs };
  expect(zoneOf(user('Europe/Berlin'), checked, {}, now)).toEqual({ ...berlin, checkedAt: now });
});

test('a profile from the server replaces offsets whose rules have changed on this device', () => {
  const renewed = zoneOf(user('Europe/Berlin'), outdated, {}, now);
  expect(renewed).toEqual({ ...berlin, checkedAt: now });
  expect(zoneOf(user('Europe/Berlin'), outdated, renewed, now)).toEqual(renewed);
});

test('a profile with another zone replaces the known zone', () => {
  expect(zoneOf(user('Asia/Tokyo'), berlin).name).toBe('Asia/Tokyo');
});
