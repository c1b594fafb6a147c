import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '#server/http/app-deps.ts';
import { plantPayload } from '../../support/factories.ts';
import { formOf, tinyJpeg } from '../../support/photos/jpeg.ts';
import { pushBrowser } from '../../support/reminders/push-browser.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { addUser, openTestApp, publicUrl } from '../../support/server/server.ts';
import { type ObservedDatabase, openObservedDatabase } from './support/statements.ts';

let observed: ObservedDatabase;
let app: App;
let request: ReturnType<typeof requestAs>;
let signIn: () => ReturnType<typeof request>;
let plant: { id: string };
let device: ReturnType<typeof requestAs>;
const clock = testClock();

beforeAll(async () => {
  observed = await openObservedDatabase();
  app = await openTestApp({ db: observed.db, clock });
  const email = 'rosa@example.org';
  await addUser(observed.db, clock, email);
  signIn = () =>
    requestAs({ app }, null)('POST', '/auth/login', {
      payload: { username_or_email: email, password: 'secret-garden' },
    });
  request = requestAs({ app }, { token: (await signIn()).json().access_token });
  const payload = plantPayload({ device_id: 'pot-1', auto_watering_enabled: true });
  const made = await request('POST', '/api/plants', { payload });
  plant = made.json();
  const token = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  device = requestAs({ app }, token.json());
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
type HotRequest = [name: string, send: () => ReturnType<typeof request>];
const hotRequests: HotRequest[] = [
  ['signing in', () => signIn()],
  ['the check of a session', () => request('GET', '/auth/me')],
  ['a new time zone', () => request('PATCH', '/auth/me', { payload: { time_zone: 'Asia/Tokyo' } })],
  ['a new username', () => request('PATCH', '/auth/me', { payload: { username: 'Rosa' } })],
  [
    'a new email address',
    () => {
      const payload = { email: 'rosa@new.example.org', password: 'secret-garden' };
      return request('POST', '/auth/email', { payload });
    },
  ],
  [
    'a new password',
    () => {
      const payload = { password: 'secret-garden', new_password: 'secret-garden' };
      return request('POST', '/auth/password', { payload });
    },
  ],
  ['a calendar feed', () => request('POST', '/api/calendar')],
  [
    'an option of the feed',
    () => request('PATCH', '/api/calendar', { payload: { is_per_plant: true } }),
  ],
  [
    'the feed',
    async () => {
      const { url } = (await request('POST', '/api/calendar')).json();
      return requestAs({ app }, null)('GET', url.replace(publicUrl, ''));
    },
  ],
  ['revoking the feed', () => request('DELETE', '/api/calendar')],
  [
    'settings of reminders',
    () => request('PATCH', '/api/reminders', { payload: { push_enabled: true } }),
  ],
  ['the settings of reminders', () => request('GET', '/api/reminders')],
  [
    'a subscription',
    () => request('PUT', '/api/push-subscription', { payload: pushBrowser().subscription }),
  ],
  [
    'a test message',
    () => request('POST', '/api/reminders/test', { payload: { channel: 'mail' } }),
  ],
  ['ending a subscription', () => request('DELETE', '/api/push-subscription')],
  ['the list of sessions', () => request('GET', '/auth/sessions')],
  ['ending other sessions', () => request('DELETE', '/auth/sessions')],
  ['the list of plants', () => request('GET', '/api/plants')],
  ['the list with readings', () => request('GET', '/api/plants/with-latest-readings')],
  ['one plant', () => request('GET', `/api/plants/${plant.id}`)],
  [
    'creating a plant',
    () => request('POST', '/api/plants', { payload: plantPayload(), key: 'new' }),
  ],
  [
    'editing a plant',
    () =>
      request('PUT', `/api/plants/${plant.id}`, { payload: plantPayload({ device_id: 'pot-1' }) }),
  ],
  [
    'a reading of a person',
    () => request('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } }),
  ],
  ['a reading of a device', () => device('POST', '/api/logs', { payload: reading })],
  ['a reading with a key', () => device('POST', '/api/logs', { payload: reading, key: 'log-1' })],
  [
    'a dry reading',
    () => device('POST', '/api/logs', { payload: { ...reading, soil_humidity: 5 } }),
  ],
  [
    'a watering',
    () => request('POST', `/api/plants/${plant.id}/water?amount=100`, { key: 'water-1' }),
  ],
  [
    'the same watering again',
    () => request('POST', `/api/plants/${plant.id}/water?amount=100`, { key: 'water-1' }),
  ],
  ['the readings of a plant', () => request('GET', `/api/logs/plant/${plant.id}`)],
  ...[1, 7, 365].map(
    (days): HotRequest => [
      `a series of ${days} days`,
      () => {
        const [from, to] = [new Date(clock().getTime() - days * 86_400_000), clock()];
        const query = `from=${from.toISOString()}&to=${to.toISOString()}`;
        return request('GET', `/api/logs/plant/${plant.id}/series?${query}`);
      },
    ],
  ),
  ['the summary of a plant', () => request('GET', `/api/logs/plant/${plant.id}/summary`)],
  ['the newest reading', () => request('GET', `/api/plants/${plant.id}/latest-readings`)],
  ['a new entry', () => request('POST', journal(), { payload: entry() })],
  [
    'an entry that is moved',
    () => request('PUT', `${journal()}/${entryId}`, { payload: { ...entry(), amount_ml: 20 } }),
  ],
  ['a journal', () => request('GET', journal())],
  ['the journals of plants', () => request('GET', `/api/journal?plants=${plant.id}`)],
  ['an entry that is removed', () => request('DELETE', `${journal()}/${entryId}`)],
  [
    'a photo',
    async () => {
      const query = `plant_id=${plant.id}&taken_at=${clock().toISOString()}`;
      const form = await formOf({ full: tinyJpeg(), small: tinyJpeg() });
      return request('PUT', `/api/photos/${entryId}?${query}`, form);
    },
  ],
  ['the bytes of a photo', () => request('GET', `/api/photos/${entryId}`)],
  ['the photos of a plant', () => request('GET', `/api/plants/${plant.id}/photos`)],
  ['deleting a photo', () => request('DELETE', `/api/photos/${entryId}`)],
  ['the list of device tokens', () => request('GET', '/api/device-tokens')],
  [
    'deleting a plant',
    async () => {
      const made = await request('POST', '/api/plants', { payload: plantPayload() });
      return request('DELETE', `/api/plants/${made.json().id}`);
    },
  ],
];

test.each(hotRequests)('every statement of %s needs at most one shard', async (_, send) => {
  observed.takeStatements();
  const response = await send();
  expect(response.statusCode).toBeLessThan(300);
  const statements = observed.takeStatements();
  expect(statements.flatMap(({ tasks }) => tasks).length).toBeGreaterThan(0);
  for (const { text, tasks } of statements) {
    expect({ text, tasks: tasks.slice(1) }).toEqual({ text, tasks: [] });
  }
});

test('every statement of a delta needs at most one shard', async () => {
  const list = '/api/plants/with-latest-readings';
  const first = await request('GET', list);
  await device('POST', '/api/logs', { payload: reading });
  observed.takeStatements();
  const delta = await request('GET', list, {
    ifNoneMatch: String(first.headers.etag),
    headers: { 'a-im': 'sprig-delta' },
  });
  expect(delta.statusCode).toBe(226);
  for (const { text, tasks } of observed.takeStatements()) {
    expect({ text, tasks: tasks.slice(1) }).toEqual({ text, tasks: [] });
  }
});

test('a reading that changes nothing else takes at most two statements besides the session check', async () => {
  await device('POST', '/api/logs', { payload: { ...reading, soil_humidity: 61 } });
  clock.advance(60_000);
  observed.takeStatements();
  await request('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } });
  // The announcement by NOTIFY comes later and needs no worker.
  const stored = observed
    .takeStatements()
    .filter(({ text, tasks }) => tasks.length > 0 && !text.includes('FROM sessions'));
  expect(stored.length).toBeLessThanOrEqual(2);
});
