import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { newestFirst } from '#domain/journal/entry.ts';
import { requestAs } from '../../support/server/request.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, hourMs, minuteMs, openJournal } from './support/journal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('pages contain every entry once, newest first, and by id if the times are equal', async () => {
  const { added, read } = await openJournal(server);
  const all: JournalEntry[] = [];
  for (let n = 0; n < 24; n += 1) {
    const type = n % 2 === 0 ? 'watered' : 'pruned';
    all.push(await added({ type, at: -Math.floor(n / 5) * hourMs }));
  }
  const pages = [await read('?limit=7')];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
    pages.push(await read(`?limit=7&before=${next}`));
  }
  expect(pages.map(({ entries }) => entries.length)).toEqual([7, 7, 7, 3]);
  expect(pages.flatMap(({ entries }) => entries)).toEqual(all.toSorted(newestFirst));
  expect(pages.map(({ photos }) => photos)).toEqual([[], undefined, undefined, undefined]);
});

test('a page that ends with the last entry has no next page', async () => {
  const { added, read } = await openJournal(server);
  for (let n = 0; n < 3; n += 1) await added({ type: 'pruned', at: -n * hourMs });
  expect((await read('?limit=3')).next).toBeNull();
  expect((await read('?limit=2')).next).not.toBeNull();
});

test('the time in before may have a time zone in hours only', async () => {
  const { added, read, inMs } = await openJournal(server);
  const first = await added({ type: 'pruned', at: -hourMs });
  const second = await added({ type: 'pruned' });
  const before = `${inMs(7 * hourMs).replace('Z', '+07')}_${second.id}`;
  expect((await read(`?before=${encodeURIComponent(before)}`)).entries).toEqual([first]);
});

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'before=',
  'before=2026-11-20T08:00:00.000Z',
  'before=2026-99-99T99:99:99.999Z_01890000-0000-7000-8000-000000000000',
  'before=2026-02-31T00:00:00.000Z_01890000-0000-7000-8000-000000000000',
  'before=0000-01-01T00:00:00.000Z_01890000-0000-7000-8000-000000000000',
])('the query %s is rejected', async (query) => {
  const { request, url } = await openJournal(server);
  const response = await request('GET', `${url}?${query}`);
  expect(response.statusCode).toBe(422);
  expect(response.json().detail[0].loc).toEqual(['query', query.split('=')[0]]);
});

test('a request for a journal that has not changed gets a 304, also after readings that do not change an entry', async () => {
  const { plant, request, url, added } = await openJournal(server);
  await added({ at: -dayMs });
  const first = await request('GET', url);
  await request('POST', '/api/logs', { payload: { plant_id: plant.id, soil_humidity: 40 } });
  const again = await request('GET', url, { ifNoneMatch: String(first.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await added({ type: 'pruned' });
  const changed = await request('GET', url, { ifNoneMatch: String(first.headers.etag) });
  expect(changed.statusCode).toBe(200);
});

test('a watering shows the soil humidity before it and the highest in the 2 hours after it', async () => {
  const { plant, request, added, edit, read } = await openJournal(server);
  const start = server.clock().getTime();
  const log = async (at: number, soil_humidity: number) => {
    server.clock.advance(at - (server.clock().getTime() - start));
    await request('POST', '/api/logs', { payload: { plant_id: plant.id, soil_humidity } });
  };
  await log(0, 22);
  server.clock.advance(minuteMs);
  const entry = await added({});
  expect(entry).toMatchObject({ soil_before: 22, soil_after: null });
  for (const [minutes, soil] of [
    [10, 41],
    [121, 48],
    [122, 60],
  ] as const) {
    await log(minutes * minuteMs, soil);
  }
  expect((await read()).entries).toMatchObject([{ soil_before: 22, soil_after: 48 }]);
  const later = new Date(start + 11 * minuteMs).toISOString();
  const moved = (await edit(entry, { at: later })).json().journal_entry;
  expect(moved).toMatchObject({ soil_before: 41, soil_after: 60 });
});

test('the soil humidity before a watering is the newest one of the 24 h before it', async () => {
  const { plant, request, added } = await openJournal(server);
  const log = (reading: object) =>
    request('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } });
  await log({ soil_humidity: 22 });
  server.clock.advance(minuteMs);
  await log({ temperature: 21 });
  server.clock.advance(minuteMs);
  expect(await added({})).toMatchObject({ soil_before: 22 });
  server.clock.advance(dayMs);
  expect(await added({})).toMatchObject({ soil_before: null });
});

test('one response contains the newest 20 entries of each of several plants, and leaves out unknown plants', async () => {
  const account = await server.addAccount();
  const [one, two] = [await openJournal(server, account), await openJournal(server, account)];
  const foreign = await openJournal(server);
  for (let n = 0; n < 21; n += 1) await one.added({ type: 'pruned', at: -n * hourMs });
  const ids = [one.plant.id, two.plant.id, foreign.plant.id, 'none'];
  const response = await one.request('GET', `/api/journal?plants=${ids.join(',')}`);
  const first = await one.read('?limit=20');
  expect(response.json()).toEqual({
    journals: {
      [one.plant.id]: { ...first, next: expect.any(String) },
      [two.plant.id]: { version: 0, entries: [], photos: [], next: null },
    },
  });
  expect(first.entries).toHaveLength(20);
  const etag = String(response.headers.etag);
  const again = await one.request('GET', `/api/journal?plants=${ids.join(',')}`, {
    ifNoneMatch: etag,
  });
  expect(again.statusCode).toBe(304);
});

test('a request for the journals of several plants can name at most 50', async () => {
  const { request, plant } = await openJournal(server);
  const named = (count: number) => Array.from({ length: count }, () => plant.id).join(',');
  expect((await request('GET', `/api/journal?plants=${named(50)}`)).statusCode).toBe(200);
  expect((await request('GET', `/api/journal?plants=${named(51)}`)).statusCode).toBe(422);
});

test('another account gets the same 404 as for an unknown plant, and a request without a token gets a 401', async () => {
  const { plant, added, url } = await openJournal(server);
  const entry = await added({ type: 'note', note: 'secret' });
  const payload = { id: entry.id, type: 'note', at: entry.at, note: 'theirs' };
  const calls = [
    ['GET', url],
    ['POST', url],
    ['PUT', `${url}/${entry.id}`],
    ['DELETE', `${url}/${entry.id}`],
  ] as const;
  const stranger = requestAs(server, await server.addAccount());
  const nobody = requestAs(server, null);
  for (const [method, at] of calls) {
    const body = method === 'POST' || method === 'PUT' ? { payload } : {};
    const foreign = await stranger(method, at, body);
    const unknown = await stranger(method, at.replace(plant.id, crypto.randomUUID()), body);
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body]);
    expect(foreign.json()).toEqual({ code: 'not_found', message: 'Plant not found' });
    expect((await nobody(method, at, body)).statusCode).toBe(401);
  }
});

test('a watering inserted by a server of version 0.1 is in the journal and counts as the last watering', async () => {
  const { account, plant, read, inMs, added, remove } = await openJournal(server);
  await server.db.pool.query(
    `INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml)
      VALUES ($1, $2, $3, $4, 'manual', 180)`,
    [account.userId, plant.id, '01890000-0000-7000-8000-000000000001', inMs(-hourMs)],
  );
  expect((await read()).entries).toMatchObject([
    { type: 'watered', source: 'manual', at: inMs(-hourMs), amount_ml: 180, note: null },
  ]);
  const removed = await remove(await added({}));
  expect(removed.json().last_watered).toBe(inMs(-hourMs));
});
