import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '#server/http/app-deps.ts';
import { plantPayload } from '../../support/factories.ts';
import { formOf, tinyJpeg } from '../../support/photos/jpeg.ts';
import { pushBrowser } from '../../support/reminders/push-browser.ts';
import { askAs } from '../../support/server/ask.ts';
import { testClock } from '../../support/server/clock.ts';
import { addUser, openTestApp, publicUrl } from '../../support/server/server.ts';
import { type ObservedDatabase, openObservedDatabase } from './support/statements.ts';

let observed: ObservedDatabase;
let app: App;
let ask: ReturnType<typeof askAs>;
let signIn: () => ReturnType<typeof ask>;
let plant: { id: string };
let device: ReturnType<typeof askAs>;
const clock = testClock();

beforeAll(async () => {
  observed = await openObservedDatabase();
  app = await openTestApp({ db: observed.db, clock });
  const email = 'rosa@example.org';
  await addUser(observed.db, clock, email);
  signIn = () =>
    askAs({ app }, null)('POST', '/auth/login', {
      payload: { username_or_email: email, password: 'secret-garden' },
    });
  ask = askAs({ app }, { token: (await signIn()).json().access_token });
  const payload = plantPayload({ device_id: 'pot-1', auto_watering_enabled: true });
  const made = await ask('POST', '/api/plants', { payload });
  plant = made.json();
  const token = await ask('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  device = askAs({ app }, token.json());
});
beforeEach(() => clock.advance(60_000));
afterAll(async () => {
  await app.close();
  await observed.db.close();
});

const reading = { soil_humidity: 60, temperature: 20, luminance: 9_000 };
const entryId = '01890000-0000-4000-8000-00000000000a';
const journal = () => `/api/plants/${plant.id}/journal`;
const entry = () => ({
  id: entryId,
  type: 'watered',
  at: clock().toISOString(),
  note: null,
  amount_ml: 50,
});
type HotRequest = [name: string, request: () => ReturnType<typeof ask>];
const hotRequests: HotRequest[] = [
  ['signing in', () => signIn()],
  ['the check of a session', () => ask('GET', '/auth/me')],
  ['a new time zone', () => ask('PATCH', '/auth/me', { payload: { time_zone: 'Asia/Tokyo' } })],
  ['a new username', () => ask('PATCH', '/auth/me', { payload: { username: 'Rosa' } })],
  [
    'a new email address',
    () => {
      const payload = { email: 'rosa@new.example.org', password: 'secret-garden' };
      return ask('POST', '/auth/email', { payload });
    },
  ],
  [
    'a new password',
    () => {
      const payload = { password: 'secret-garden', new_password: 'secret-garden' };
      return ask('POST', '/auth/password', { payload });
    },
  ],
  ['a calendar feed', () => ask('POST', '/api/calendar')],
  [
    'an option of the feed',
    () => ask('PATCH', '/api/calendar', { payload: { is_per_plant: true } }),
  ],
  [
    'the feed',
    async () => {
      const { url } = (await ask('POST', '/api/calendar')).json();
      return askAs({ app }, null)('GET', url.replace(publicUrl, ''));
    },
  ],
  ['revoking the feed', () => ask('DELETE', '/api/calendar')],
  [
    'settings of reminders',
    () => ask('PATCH', '/api/reminders', { payload: { push_enabled: true } }),
  ],
  ['the settings of reminders', () => ask('GET', '/api/reminders')],
  [
    'a subscription',
    () => ask('PUT', '/api/push-subscription', { payload: pushBrowser().subscription }),
  ],
  ['a test message', () => ask('POST', '/api/reminders/test', { payload: { channel: 'mail' } })],
  ['ending a subscription', () => ask('DELETE', '/api/push-subscription')],
  ['the list of sessions', () => ask('GET', '/auth/sessions')],
  ['ending other sessions', () => ask('DELETE', '/auth/sessions')],
  ['the list of plants', () => ask('GET', '/api/plants')],
  ['the list with readings', () => ask('GET', '/api/plants/with-latest-readings')],
  ['one plant', () => ask('GET', `/api/plants/${plant.id}`)],
  ['creating a plant', () => ask('POST', '/api/plants', { payload: plantPayload(), key: 'new' })],
  [
    'editing a plant',
    () => ask('PUT', `/api/plants/${plant.id}`, { payload: plantPayload({ device_id: 'pot-1' }) }),
  ],
  [
    'a reading of a person',
    () => ask('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } }),
  ],
  ['a reading of a device', () => device('POST', '/api/logs', { payload: reading })],
  ['a reading with a key', () => device('POST', '/api/logs', { payload: reading, key: 'log-1' })],
  [
    'a dry reading',
    () => device('POST', '/api/logs', { payload: { ...reading, soil_humidity: 5 } }),
  ],
  ['a watering', () => ask('POST', `/api/plants/${plant.id}/water?amount=100`, { key: 'water-1' })],
  [
    'the same watering again',
    () => ask('POST', `/api/plants/${plant.id}/water?amount=100`, { key: 'water-1' }),
  ],
  ['the readings of a plant', () => ask('GET', `/api/logs/plant/${plant.id}`)],
  ...[1, 7, 365].map(
    (days): HotRequest => [
      `a series of ${days} days`,
      () => {
        const [from, to] = [new Date(clock().getTime() - days * 86_400_000), clock()];
        const query = `from=${from.toISOString()}&to=${to.toISOString()}`;
        return ask('GET', `/api/logs/plant/${plant.id}/series?${query}`);
      },
    ],
  ),
  ['the summary of a plant', () => ask('GET', `/api/logs/plant/${plant.id}/summary`)],
  ['the newest reading', () => ask('GET', `/api/plants/${plant.id}/latest-readings`)],
  ['a new entry', () => ask('POST', journal(), { payload: entry() })],
  [
    'an entry that is moved',
    () => ask('PUT', `${journal()}/${entryId}`, { payload: { ...entry(), amount_ml: 20 } }),
  ],
  ['a journal', () => ask('GET', journal())],
  ['the journals of plants', () => ask('GET', `/api/journal?plants=${plant.id}`)],
  ['an entry that is removed', () => ask('DELETE', `${journal()}/${entryId}`)],
  [
    'a photo',
    async () => {
      const query = `plant_id=${plant.id}&taken_at=${clock().toISOString()}`;
      const form = await formOf({ full: tinyJpeg(), small: tinyJpeg() });
      return ask('PUT', `/api/photos/${entryId}?${query}`, form);
    },
  ],
  ['the bytes of a photo', () => ask('GET', `/api/photos/${entryId}`)],
  ['the photos of a plant', () => ask('GET', `/api/plants/${plant.id}/photos`)],
  ['deleting a photo', () => ask('DELETE', `/api/photos/${entryId}`)],
  ['the list of device tokens', () => ask('GET', '/api/device-tokens')],
  [
    'deleting a plant',
    async () => {
      const made = await ask('POST', '/api/plants', { payload: plantPayload() });
      return ask('DELETE', `/api/plants/${made.json().id}`);
    },
  ],
];

test.each(hotRequests)('every statement of %s needs one shard', async (_, request) => {
  observed.takeStatements();
  const response = await request();
  expect(response.statusCode).toBeLessThan(300);
  const statements = observed.takeStatements();
  expect(statements.flatMap(({ tasks }) => tasks).length).toBeGreaterThan(0);
  for (const { text, tasks } of statements) {
    expect({ text, tasks: tasks.slice(1) }).toEqual({ text, tasks: [] });
  }
});

test('every statement of a delta needs one shard', async () => {
  const list = '/api/plants/with-latest-readings';
  const first = await ask('GET', list);
  await device('POST', '/api/logs', { payload: reading });
  observed.takeStatements();
  const delta = await ask('GET', list, {
    ifNoneMatch: String(first.headers.etag),
    headers: { 'a-im': 'sprig-delta' },
  });
  expect(delta.statusCode).toBe(226);
  for (const { text, tasks } of observed.takeStatements()) {
    expect({ text, tasks: tasks.slice(1) }).toEqual({ text, tasks: [] });
  }
});

test('a reading that only extends the series takes at most two round trips', async () => {
  await device('POST', '/api/logs', { payload: { ...reading, soil_humidity: 61 } });
  clock.advance(60_000);
  observed.takeStatements();
  await ask('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } });
  // The announcement by NOTIFY comes later and needs no worker.
  const stored = observed
    .takeStatements()
    .filter(({ text, tasks }) => tasks.length > 0 && !text.includes('FROM sessions'));
  expect(stored.length).toBeLessThanOrEqual(2);
});
