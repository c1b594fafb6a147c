import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntryEdit } from '#domain/journal/entry.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, hourMs, minuteMs, openJournal } from './support/journal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('an added entry is in the journal, and the response is the plant with it', async () => {
  const { plant, add, read, record, inMs } = await openJournal(server);
  const id = randomUUID();
  const response = await add({ id, type: 'repotted', at: -dayMs, note: ' A larger pot ' });
  expect(response.statusCode).toBe(201);
  const entry = {
    id,
    type: 'repotted',
    source: 'manual',
    at: inMs(-dayMs),
    note: 'A larger pot',
    amount_ml: null,
    soil_before: null,
    soil_after: null,
    days: null,
    reason: null,
  };
  const { journal_entry, ...rest } = response.json();
  expect(journal_entry).toEqual(entry);
  expect(rest).toEqual({ ...plant, journal_version: 1, etag: '"v2"' });
  expect(response.headers.etag).toBe('"v2"');
  expect(await record()).toEqual(rest);
  expect(await read()).toEqual({ version: 1, entries: [entry], photos: [], next: null });
});

test('a watering sets the last watering and the next date, and an older one changes neither', async () => {
  const { add, inMs } = await openJournal(server);
  const watered = await add({ at: -dayMs, amount_ml: 250 });
  const dates = { last_watered: inMs(-dayMs), next_watering_date: inMs(2 * dayMs) };
  expect(watered.json()).toMatchObject({ ...dates, journal_entry: { amount_ml: 250 } });
  expect((await add({ at: -2 * dayMs })).json()).toMatchObject(dates);
});

test('last_fertilized is the time of the newest fertilizing, also after one is moved or removed', async () => {
  const { added, edit, remove, record, inMs } = await openJournal(server);
  const older = await added({ type: 'fertilized', at: -9 * dayMs });
  const newer = await added({ type: 'fertilized', at: -dayMs });
  expect((await record()).last_fertilized).toBe(newer.at);
  const moved = inMs(-20 * dayMs);
  expect((await edit(newer, { at: moved })).json().last_fertilized).toBe(older.at);
  expect((await remove(older)).json().last_fertilized).toBe(moved);
  expect((await remove(newer)).json().last_fertilized).toBeNull();
});

test('a snoozed plant is due when the snooze ends, and a watering ends the snooze', async () => {
  const { added, add, remove, record, inMs } = await openJournal(server);
  await added({ at: -3 * dayMs });
  const snooze = await add({ type: 'snoozed', days: 2 });
  const until = inMs(2 * dayMs);
  expect(snooze.json()).toMatchObject({ snoozed_until: until, next_watering_date: until });
  const watering = await added({ at: 0 });
  const watered = { snoozed_until: null, next_watering_date: inMs(3 * dayMs) };
  expect(await record()).toMatchObject(watered);
  expect((await remove(watering)).json().next_watering_date).toBe(until);
  const again = (await remove(snooze.json().journal_entry)).json();
  expect(again).toMatchObject({ snoozed_until: null, next_watering_date: inMs(0) });
});

test('adding an entry with the id of an existing one stores nothing and responds 200 with the body of the first response', async () => {
  const { add, read } = await openJournal(server);
  const id = randomUUID();
  const first = await add({ id, note: 'rain' });
  const again = await add({ id, type: 'pruned', at: -hourMs });
  expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
  expect(again.json()).toEqual(first.json());
  expect((await read()).entries).toHaveLength(1);
});

test('a repeated idempotency key replays the response, also after the entry was removed', async () => {
  const { add, remove, read } = await openJournal(server);
  const entry = { id: randomUUID(), type: 'note', note: 'New leaf' } as const;
  const first = await add(entry, { key: 'add' });
  expect((await remove(first.json().journal_entry)).statusCode).toBe(200);
  const again = await add(entry, { key: 'add' });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.json()).toEqual(first.json());
  expect((await read()).entries).toEqual([]);
});

test.each(['watered', 'pruned'] as const)('a removed %s entry can be added again', async (type) => {
  const { add, remove, read, inMs } = await openJournal(server);
  const entry = { id: randomUUID(), type, at: -hourMs, note: 'twice' };
  const first = (await add(entry)).json().journal_entry;
  await remove(first);
  expect((await remove(first)).statusCode).toBe(404);
  const again = await add(entry);
  expect(again.statusCode).toBe(201);
  expect(again.json().last_watered).toBe(type === 'watered' ? inMs(-hourMs) : null);
  expect((await read()).entries).toEqual([first]);
});

test('a note with the id of a removed watering is rejected and does not restore the watering', async () => {
  const { added, add, remove, read, record } = await openJournal(server);
  const { id } = await added({ type: 'watered' });
  await remove({ id });
  expect((await add({ id, type: 'note', note: 'New leaf' })).statusCode).toBe(422);
  expect((await read()).entries).toEqual([]);
  expect((await record()).last_watered).toBeNull();
});

test('an edited entry keeps its type, source and id', async () => {
  const { added, edit, read, inMs } = await openJournal(server);
  const entry = await added({ at: -hourMs, amount_ml: 100, note: 'little' });
  const at = inMs(-2 * hourMs);
  const response = await edit(entry, { at, amount_ml: 400, note: null });
  const edited = { ...entry, at, amount_ml: 400, note: null };
  expect(response.json()).toMatchObject({ last_watered: at, journal_entry: edited });
  expect((await read()).entries).toEqual([edited]);
});

test.each<[field: string, change: (inMs: (ms: number) => string) => EntryEdit]>([
  ['time', (inMs) => ({ at: inMs(-2 * hourMs) })],
  ['note', () => ({ note: 'much' })],
  ['note to remove it', () => ({ note: null })],
  ['amount', () => ({ amount_ml: 400 })],
  ['amount to remove it', () => ({ amount_ml: null })],
])('an edit of a watering that contains only the %s keeps its other values', async (_, change) => {
  const { added, request, url, read, inMs } = await openJournal(server);
  const entry = await added({ at: -hourMs, amount_ml: 100, note: 'little' });
  const response = await request('PUT', `${url}/${entry.id}`, { payload: change(inMs) });
  const edited = { ...entry, ...change(inMs) };
  expect(response.json()).toMatchObject({ last_watered: edited.at, journal_entry: edited });
  expect((await read()).entries).toEqual([edited]);
});

test('an edit of a note that contains only the time keeps its text, and one that contains only the text keeps its time', async () => {
  const { added, request, url, read, inMs } = await openJournal(server);
  const entry = await added({ type: 'note', note: 'one', at: -hourMs });
  const at = inMs(-2 * hourMs);
  for (const payload of [{ at }, { note: 'two' }]) {
    expect((await request('PUT', `${url}/${entry.id}`, { payload })).statusCode).toBe(200);
  }
  expect((await read()).entries).toEqual([{ ...entry, at, note: 'two' }]);
});

test('an edit without any field changes no value', async () => {
  const { added, request, url, read } = await openJournal(server);
  const entry = await added({ at: -hourMs, amount_ml: 100, note: 'little' });
  const response = await request('PUT', `${url}/${entry.id}`, { payload: {} });
  expect([response.statusCode, response.json().journal_entry]).toEqual([200, entry]);
  expect((await read()).entries).toEqual([entry]);
});

test('an entry from more than 365 days ago can be edited if its time stays the same', async () => {
  const { added, edit } = await openJournal(server);
  const entry = await added({ type: 'note', note: 'old', at: -364 * dayMs });
  server.clock.advance(10 * dayMs);
  expect((await edit(entry, { note: 'older' })).json().journal_entry.note).toBe('older');
  const at = new Date(Date.parse(entry.at) + 1).toISOString();
  expect((await edit(entry, { at })).statusCode).toBe(422);
});

test.each([
  ['further ahead than 5 minutes', { at: 5 * minuteMs + 1 }, 'at', 'is in the future'],
  ['further back than 365 days', { at: -365 * dayMs - 1 }, 'at', 'is more than 365 days back'],
  ['a note without a text', { type: 'note', note: '  ' }, 'note', 'A note needs a text'],
  ['a snooze without days', { type: 'snoozed' }, 'days', 'Required'],
  [
    'an amount of a note',
    { type: 'note', note: 'x', amount_ml: 5 },
    'amount_ml',
    'Only a watering has an amount',
  ],
] as const)('%s is rejected and adds nothing', async (_, entry, field, msg) => {
  const { add, read } = await openJournal(server);
  const response = await add(entry);
  expect(response.statusCode).toBe(422);
  expect(response.json().detail).toEqual([{ loc: ['body', field], msg }]);
  expect(await read()).toMatchObject({ version: 0, entries: [] });
});

test('a time up to 5 minutes in the future is stored as now', async () => {
  const { added, inMs } = await openJournal(server);
  expect((await added({ at: 5 * minuteMs })).at).toBe(inMs(0));
});

test('an entry can be dated exactly 365 days back', async () => {
  const { added, inMs } = await openJournal(server);
  expect((await added({ at: -365 * dayMs })).at).toBe(inMs(-365 * dayMs));
});

test('an amount is rejected for an entry that is not a watering', async () => {
  const { added, edit } = await openJournal(server);
  const response = await edit(await added({ type: 'pruned' }), { amount_ml: 5 });
  expect(response.json().detail).toEqual([
    { loc: ['body', 'amount_ml'], msg: 'Only a watering has an amount' },
  ]);
});

test('an outdated If-Match changes nothing and gets the current plant', async () => {
  const { add, edit, remove, record, read, added } = await openJournal(server);
  const entry = await added({ type: 'note', note: 'one' });
  const options = { ifMatch: '"v1"' };
  for (const response of [
    await add({}, options),
    await edit(entry, { note: 'two' }, options),
    await remove(entry, options),
  ]) {
    expect(response.statusCode).toBe(412);
    expect(response.json()).toEqual(await record());
  }
  expect((await read()).entries).toEqual([entry]);
  expect((await edit(entry, { note: 'two' }, { ifMatch: '"v2"' })).statusCode).toBe(200);
});

test('an unknown entry and one of another plant get a 404', async () => {
  const one = await openJournal(server);
  const other = await openJournal(server, one.account);
  const entry = await one.added({ type: 'note', note: 'mine' });
  for (const id of [entry.id, randomUUID(), 'none']) {
    for (const response of [await other.edit({ ...entry, id }), await other.remove({ id })]) {
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ code: 'not_found', message: 'Entry not found' });
    }
  }
  expect((await one.read()).entries).toEqual([entry]);
});

test('parallel edits of one entry all succeed, and each increments the versions of plant and journal once', async () => {
  const { added, edit, record } = await openJournal(server);
  const entry = await added({ at: -dayMs });
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      edit(entry, { at: new Date(Date.parse(entry.at) - n * minuteMs).toISOString() }),
    ),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
  const last = responses.find(({ headers }) => headers.etag === '"v12"')?.json();
  expect(await record()).toMatchObject({
    etag: '"v12"',
    journal_version: 11,
    last_watered: last.journal_entry.at,
  });
});

test('the idempotency key of a watering becomes the id of its entry if the key is a UUID', async () => {
  const { plant, request, read } = await openJournal(server);
  const key = randomUUID();
  const water = (options: { key: string }) =>
    request('POST', `/api/plants/${plant.id}/water`, options);
  const response = await water({ key });
  expect(response.json().journal_entry).toMatchObject({ id: key, type: 'watered' });
  expect((await water({ key })).json()).toEqual(response.json());
  const other = (await water({ key: 'op-1' })).json().journal_entry.id;
  expect(other).toMatch(/^[0-9a-f-]{36}$/);
  expect((await read()).entries.map(({ id }) => id).sort()).toEqual([key, other].sort());
});

test('a watering whose key is the id of an entry is not recorded twice', async () => {
  const { plant, request, added, read } = await openJournal(server);
  const entry = await added({ at: -hourMs });
  const response = await request('POST', `/api/plants/${plant.id}/water`, { key: entry.id });
  expect(response.json().journal_entry).toEqual(entry);
  expect((await read()).entries).toEqual([entry]);
});

test('a batch adds, changes and removes entries of several plants', async () => {
  const account = await server.addAccount();
  const [one, two] = [await openJournal(server, account), await openJournal(server, account)];
  const id = randomUUID();
  const add = { id, type: 'note', at: one.inMs(0), note: 'first' };
  const edit = { at: one.inMs(-minuteMs), note: 'second' };
  const operations = [
    { key: 'a', method: 'POST', path: one.url, body: add },
    { key: 'b', method: 'POST', path: two.url, body: add },
    { key: 'c', method: 'PUT', path: `${one.url}/${id}`, body: edit },
    { key: 'd', method: 'DELETE', path: `${two.url}/${id}` },
  ];
  const response = await one.request('POST', '/api/batch', { payload: { operations } });
  const statuses = response.json().results.map(({ status }: { status: number }) => status);
  expect(statuses).toEqual([201, 201, 200, 200]);
  expect((await one.read()).entries).toMatchObject([{ id, note: 'second', at: edit.at }]);
  expect((await two.read()).entries).toEqual([]);
});

test('after an entry is added, the next delta of another device contains the plant as changed', async () => {
  const { plant, request, add } = await openJournal(server);
  const list = '/api/plants/with-latest-readings';
  const before = await request('GET', list);
  const changed = await add({ type: 'fertilized' });
  const options = { ifNoneMatch: String(before.headers.etag), headers: { 'a-im': 'sprig-delta' } };
  const delta = await request('GET', list, options);
  expect(delta.statusCode).toBe(226);
  const [record] = delta.json().changed;
  expect(record).toMatchObject({
    id: plant.id,
    journal_version: 1,
    last_fertilized: changed.json().journal_entry.at,
  });
});
