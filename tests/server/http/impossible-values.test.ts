import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formOf, tinyJpeg } from '../../support/photos/jpeg.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let request: RequestFunction;
let plantId: string;
let entryId: string;
beforeAll(async () => {
  server = await openTestServer();
  const account = await server.addAccount();
  request = requestAs(server, account);
  plantId = (await addPlant(server, account)).id;
  entryId = randomUUID();
  const entry = { id: entryId, type: 'note', at: server.clock().toISOString(), note: 'new pot' };
  const response = await request('POST', `/api/plants/${plantId}/journal`, { payload: entry });
  expect(response.statusCode).toBe(201);
});
afterAll(() => server.close());

/** Well-formed times that do not exist, or that PostgreSQL reads in another way than JavaScript. */
const moments = [
  '2026-02-31T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-04-31T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00+23:59',
  '1970-01-01T00:00:00-23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-11-20T24:00:00Z',
  '2026-11-19T08:00:00+99:99',
  '2026-11-19T08:00:00+16:00',
  '2026-11-19T08:00:00-23:59',
  '2026-11-19T08:00:00+2359',
  '2026-11-19T08:00:00+07',
  '2026-11-19 08:00:00Z',
  '2026-11-19T08:00:00.123456789Z',
  '2026-11-19T08:00:00',
  'infinity',
  '-infinity',
  'NaN',
  'now',
  'today',
  'epoch',
  '2026-11-19T08:00:00Z\0',
];

/** Every place of a request that contains a time. */
const timePlaces: Record<string, (moment: string) => Promise<LightMyRequestResponse>> = {
  'the start of readings': (at) =>
    request('GET', `/api/logs/plant/${plantId}?${text({ from: at })}`),
  'the end of readings': (at) => request('GET', `/api/logs/plant/${plantId}?${text({ to: at })}`),
  'the start of a series': (from) => series({ from, to: '9999-12-31T23:59:59Z' }),
  'the end of a series': (to) => series({ from: '1970-01-01T00:00:00Z', to }),
  'a reading': (timestamp) =>
    request('POST', '/api/logs', { payload: { plant_id: plantId, timestamp, temperature: 20 } }),
  'an array of readings': (timestamp) =>
    request('POST', '/api/logs', { payload: [{ plant_id: plantId, timestamp, temperature: 20 }] }),
  'a watering': (at) => request('POST', `/api/plants/${plantId}/water?${text({ watered_at: at })}`),
  'a new entry': (at) => addEntry({ at }),
  'an edited entry': (at) =>
    request('PUT', `/api/plants/${plantId}/journal/${entryId}`, { payload: { at, note: 'x' } }),
  'the position in a journal': (at) => journal(`${at}_${entryId}`),
  'a photo': async (taken_at) => {
    const { payload, headers } = await formOf({ full: tinyJpeg(), small: tinyJpeg() });
    const url = `/api/photos/${randomUUID()}?${text({ plant_id: plantId, taken_at })}`;
    return await request('PUT', url, { payload, headers });
  },
  'an operation of a batch': (at) =>
    batch({ path: `/api/plants/${plantId}/water?${text({ watered_at: at })}` }),
};

function text(query: Record<string, string>): string {
  return String(new URLSearchParams(query));
}

const series = (query: { from: string; to: string }) =>
  request('GET', `/api/logs/plant/${plantId}/series?${text(query)}`);

const journal = (before: string) =>
  request('GET', `/api/plants/${plantId}/journal?${text({ before })}`);

const addEntry = (changes: object) => {
  const entry = { id: randomUUID(), type: 'note', at: server.clock().toISOString(), note: 'x' };
  return request('POST', `/api/plants/${plantId}/journal`, { payload: { ...entry, ...changes } });
};

const batch = (changes: { key?: string; path?: string; if_match?: string; body?: unknown }) => {
  const operation = { key: randomUUID(), method: 'POST', path: `/api/plants/${plantId}/water` };
  const payload = { operations: [{ ...operation, ...changes }] };
  return request('POST', '/api/batch', { payload });
};

/** The statuses of a response and of its results. */
function statusesOf(response: LightMyRequestResponse): number[] {
  const body: unknown = response.body.startsWith('{') ? response.json() : null;
  const results = (body as { results?: { status: number }[] } | null)?.results ?? [];
  return [response.statusCode, ...results.map(({ status }) => status)];
}

test.each(Object.keys(timePlaces))(
  'an impossible or unusual time causes no server error: %s',
  async (place) => {
    const failed: string[] = [];
    for (const moment of moments) {
      const response = await timePlaces[place]?.(moment);
      if (!response || Math.max(...statusesOf(response)) >= 500) failed.push(moment);
    }
    expect(failed).toEqual([]);
  },
);

const listVersions = [
  '"c0.0.x"',
  '"c999999999999999.999999999999999.x"',
  '"c1.8640000000000001.x"',
  '"c-1.-1.x"',
  '"c1.1.\u00ff"',
  '"cNaN.Infinity.x"',
];

test.each(listVersions)(
  'an impossible list version causes no server error: %s',
  async (version) => {
    for (const url of ['/api/plants', '/api/plants/with-latest-readings']) {
      const { headers } = await request('GET', url);
      const epoch = String(headers.etag).split('.')[2]?.slice(0, -1) ?? '';
      for (const ifNoneMatch of [version, version.replace('.x"', `.${epoch}"`)]) {
        const response = await request('GET', url, {
          ifNoneMatch,
          headers: { 'a-im': 'sprig-delta' },
        });
        expect(response.statusCode).toBeLessThan(500);
      }
    }
  },
);

test.each<[what: string, send: () => Promise<LightMyRequestResponse>]>([
  ['a note', () => addEntry({ note: 'a\0b' })],
  ['a device of a reading', () => log({ device_id: 'a\0b' })],
  ['a plant of a reading', () => log({ plant_id: 'a\0b' })],
  ['a result of a command', () => log({ command_results: [{ id: 'a\0b', status: 'done' }] })],
  [
    'a reading of an array',
    () => request('POST', '/api/logs', { payload: [{ device_id: 'a\0b' }] }),
  ],
  ['a device token', () => request('POST', '/api/device-tokens', { payload: { device_id: '\0' } })],
  ['a name', () => request('PATCH', '/auth/me', { payload: { username: 'a\0b' } })],
  ['a time zone', () => request('PATCH', '/auth/me', { payload: { time_zone: 'UTC\0' } })],
  [
    'a topic',
    () => request('PATCH', '/api/reminders', { payload: { ntfy_url: 'https://a.b/\0' } }),
  ],
  [
    'a time of day',
    () => request('PATCH', '/api/reminders', { payload: { digest_time: '09:00\0' } }),
  ],
  ['the key of an operation', () => batch({ key: 'a\0b' })],
  ['the version of an operation', () => batch({ if_match: '"v1\0"' })],
  ['the path of an operation', () => batch({ path: '/api/plants/%00/water' })],
  [
    'the time of an operation',
    () => batch({ path: `/api/plants/${plantId}/water?watered_at=%00` }),
  ],
  ['the body of an operation', () => batch({ path: '/api/plants', body: { nickname: '\0' } })],
  ['a position', () => journal(`2026-11-19T08:00:00Z_${entryId}\0`)],
  ['a list of plants', () => request('GET', '/api/journal?plants=%00,a')],
  ['a link of an email', () => request('GET', '/auth/verify-email?token=%00')],
  ['a link to a new address', () => request('GET', '/auth/confirm-email?token=%00')],
  ['a link to unsubscribe', () => request('POST', '/api/reminders/unsubscribe?token=%00')],
  ['a calendar', () => request('GET', '/calendar/%00.ics')],
])('U+0000 causes no server error: %s', async (_, send) => {
  expect(Math.max(...statusesOf(await send()))).toBeLessThan(500);
});

function log(changes: object): Promise<LightMyRequestResponse> {
  return request('POST', '/api/logs', {
    payload: { plant_id: plantId, temperature: 20, ...changes },
  });
}

test.each([
  '2026-02-31T12:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-11-19T08:00:00+99:99',
  '10000-01-01T00:00:00Z',
  'infinity',
])('a time that does not exist is a 422: %s', async (moment) => {
  const statuses: Record<string, number> = {};
  for (const [place, send] of Object.entries(timePlaces)) {
    statuses[place] = statusesOf(await send(moment)).at(-1) ?? 0;
  }
  expect(new Set(Object.values(statuses)), JSON.stringify(statuses)).toEqual(new Set([422]));
});
