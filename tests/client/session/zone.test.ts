import { expect, test } from 'vitest';
import { zoneOf } from '#client/session/zone.ts';
import type { User } from '#contract/auth.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';

const user = (time_zone: string | null): User => ({
  is_verified: true,
  username: 'Rosa',
  email: 'rosa@example.org',
  device_key: 'rosa@example.org',
  time_zone,
});
const berlin = timeZoneOf('Europe/Berlin');
/** Offsets as this device computed them before the rules of the zone changed. */
const outdated = { name: 'Europe/Berlin', offsets: [[0, 0]] as const };

test('without a chosen zone it is UTC+7', () => {
  expect(zoneOf(user(null), berlin)).toBe(defaultZone);
});

test('a start uses the stored offsets as they are', () => {
  expect(zoneOf(user('Europe/Berlin'), null, outdated.offsets)).toEqual(outdated);
});

test.each([null, 'x', [], [[0]], [['a', 1]]])(
  'stored offsets of %j are computed again',
  (stored) => {
    expect(zoneOf(user('Europe/Berlin'), null, stored)).toEqual(berlin);
  },
);

test('a profile from the server keeps the zone, the same object, while its rules stay', () => {
  expect(zoneOf(user('Europe/Berlin'), berlin)).toBe(berlin);
  expect(zoneOf(user('Europe/Berlin'), berlin, [...berlin.offsets])).toBe(berlin);
});

test('a profile from the server replaces offsets whose rules have changed on this device', () => {
  const renewed = zoneOf(user('Europe/Berlin'), outdated);
  expect(renewed).toEqual(berlin);
  expect(zoneOf(user('Europe/Berlin'), outdated, renewed.offsets)).toEqual(berlin);
});

test('another zone replaces the known one', () => {
  expect(zoneOf(user('Asia/Tokyo'), berlin).name).toBe('Asia/Tokyo');
});
