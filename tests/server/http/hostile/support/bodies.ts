import zlib from 'node:zlib';
import { plantPayload } from '../../../../support/factories.ts';
import type { Random } from '../../../../support/seeded.ts';
import { hostileValue, mutate, toHostileJson } from './values.ts';

const log = {
  plant_id: '01890000-0000-7000-8000-000000000000',
  device_id: 'esp-1',
  timestamp: '2026-11-20T07:59:00.000Z',
  soil_humidity: 40,
  air_humidity: 50,
  temperature: 20,
  luminance: 900,
  command_results: [{ id: 'c', status: 'done', amount_ml: 150 }],
};
const entry = {
  id: '01890000-0000-4000-8000-00000000000a',
  type: 'watered',
  at: '2026-11-20T07:00:00Z',
  note: 'x',
  amount_ml: 150,
  days: 2,
};
const login = { username_or_email: 'mallory', password: 'mallory-garden', rememberMe: true };
const registration = { username: 'Mallory', email: 'm@example.org', password: 'mallory-garden' };
const reset = { token: 'abc', password: 'mallory-garden' };

const reminders = { digest_time: '08:00', mail_enabled: true, ntfy_url: 'https://ntfy.sh/x' };
const subscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/x',
  keys: { p256dh: 'BF2P', auth: 'OTA5' },
  account: 'x',
};
const newEmail = { email: 'm@new.example.org', password: 'secret-garden' };
// The current password is wrong, so the password does not change and the account can sign in again.
const newPassword = { password: 'mallory-garden', new_password: 'mallory-garden' };

const batchOperations = [
  { key: 'b1', method: 'POST', path: '/api/plants', body: { ...plantPayload() } },
  { key: 'b2', method: 'PUT', path: `/api/plants/${log.plant_id}`, if_match: '"v1"', body: login },
  { key: 'b3', method: 'POST', path: `/api/plants/${log.plant_id}/water?amount=5` },
];

/** Valid bodies by the end of a route's path. An unknown route gets the fields of several bodies. */
const wanted: readonly [RegExp, () => Record<string, unknown>][] = [
  [/\/login$/, () => login],
  [/\/register$/, () => registration],
  [/\/forgot-password$/, () => ({ username_or_email: 'mallory' })],
  [/\/reset-password$/, () => reset],
  [/\/me$/, () => ({ username: 'Mallory', time_zone: 'Asia/Tokyo' })],
  [/\/email$/, () => newEmail],
  [/\/auth\/password$/, () => newPassword],
  [/\/calendar$/, () => ({ is_per_plant: true })],
  [/\/plants(\/:id)?$/, () => ({ ...plantPayload() })],
  [/\/journal(\/:entry)?$/, () => entry],
  [/\/logs$/, () => log],
  [/\/reminders$/, () => reminders],
  [/\/reminders\/test$/, () => ({ channel: 'mail' })],
  [/\/push-subscription$/, () => subscription],
  [/\/batch$/, () => ({ operations: batchOperations })],
  [/./, () => ({ ...plantPayload(), ...log, ...login, ...registration, ...reset })],
];

function validPayload(path: string, ownPlantId: string): Record<string, unknown> {
  const payload = wanted.find(([pattern]) => pattern.test(path))?.[1]() ?? {};
  return 'plant_id' in payload ? { ...payload, plant_id: ownPlantId } : payload;
}

export function plainBody(path: string, ownPlantId: string): Buffer {
  return Buffer.from(JSON.stringify(validPayload(path, ownPlantId)));
}

export interface HostileBody {
  bytes: Buffer;
  encoding?: string;
}

/** Usually JSON of the right shape with something invalid in it, sometimes not JSON at all. */
export function hostileBody(path: string, ownPlantId: string, random: Random): HostileBody {
  const json = mutate(validPayload(path, ownPlantId), random);
  if (random.chance(0.75)) return { bytes: Buffer.from(json) };
  if (random.chance(0.1)) return { bytes: zlib.gzipSync(json), encoding: 'gzip' };
  const make = random.pick(otherBodies);
  return { bytes: make(json, random) };
}

const otherBodies: readonly ((json: string, random: Random) => Buffer)[] = [
  () => Buffer.alloc(0),
  (json, random) => Buffer.from(json.slice(0, random.below(json.length))),
  (json) => Buffer.from(`${json}${json}`),
  (json) => Buffer.from(`\ufeff${json}`),
  (json) => Buffer.from(json, 'utf16le'),
  (json) => Buffer.from(json.replaceAll('"', "'")),
  (json, random) => flipped(Buffer.from(json), random),
  (_, random) => Buffer.from(toHostileJson(hostileValue(random))),
  (_, random) => Buffer.from('['.repeat(1 + random.below(60_000))),
  (_, random) => nested(1 + random.below(10_000)),
  (_, random) => Buffer.from(JSON.stringify({ nickname: 'x'.repeat(65_490 + random.below(60)) })),
  () => Buffer.from(JSON.stringify({ nickname: 'x'.repeat(200_000) })),
  () => Buffer.from(`{${Array.from({ length: 4_000 }, (_, i) => `"k${i}":1`).join(',')}}`),
  (_, random) => Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
  () => Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22]),
  () => Buffer.from('{"nickname":"\\ud800"}'),
  () => Buffer.from('nickname=Fern&plant_name=Fern'),
];

function flipped(bytes: Buffer, random: Random): Buffer {
  if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function nested(depth: number): Buffer {
  return Buffer.from(`${'{"nickname":'.repeat(depth)}1${'}'.repeat(depth)}`.slice(0, 65_000));
}
