import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilWaiting } from '../../../support/database/database-waits.ts';
import { oneMachineTest } from '../../../support/database/one-machine.ts';
import { formOf, tinyJpeg } from '../../../support/photos/jpeg.ts';
import { testClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import { type Account, openTestServer, type TestServer } from '../../../support/server/server.ts';
import { dayMs, openJournal } from '../support/journal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const jpegs = { full: tinyJpeg({ width: 1600, height: 1200 }), small: tinyJpeg() };

/** A plant with functions to send and read photos. */
async function openPhotos(owner?: Account, at = server) {
  const journal = await openJournal(at, owner);
  const { request, plant } = journal;
  const put = async (
    id: string,
    {
      parts = jpegs,
      query = {},
      key,
    }: {
      parts?: Record<string, Buffer | string>;
      query?: Record<string, string>;
      key?: string;
    } = {},
  ) => {
    const { payload, headers } = await formOf(parts);
    const all = { plant_id: plant.id, taken_at: journal.inMs(-dayMs), ...query };
    const url = `/api/photos/${id}?${new URLSearchParams(all)}`;
    const options = { payload, headers, ...(key !== undefined && { key }) };
    return await request('PUT', url, options);
  };
  const list = async () => (await request('GET', `/api/plants/${plant.id}/photos`)).json().photos;
  return { ...journal, put, list };
}

test('a photo is stored in both sizes, and the response is the plant without a journal entry', async () => {
  const { plant, request, put, list, read, inMs } = await openPhotos();
  const id = randomUUID();
  const response = await put(id);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ ...plant, journal_version: 1, etag: '"v2"' });
  expect(response.headers.etag).toBe('"v2"');
  const photo = { id, entry_id: null, taken_at: inMs(-dayMs), width: 1600, height: 1200 };
  expect(await list()).toEqual([photo]);
  expect(await read()).toMatchObject({ version: 1, photos: [photo] });
  for (const [query, bytes] of [
    ['', jpegs.full],
    ['?size=small', jpegs.small],
  ] as const) {
    const sent = await request('GET', `/api/photos/${id}${query}`);
    expect(sent.rawPayload.equals(bytes)).toBe(true);
    expect(sent.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    const ifNoneMatch = String(sent.headers.etag);
    const again = await request('GET', `/api/photos/${id}${query}`, { ifNoneMatch });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  }
});

test('a repeated upload changes nothing, and other bytes under the same id are rejected', async () => {
  const { put, list, record } = await openPhotos();
  const id = randomUUID();
  const first = await put(id, { key: 'photo' });
  const again = await put(id, { key: 'photo' });
  expect(again.json()).toEqual(first.json());
  const other = await put(id, {
    parts: { ...jpegs, small: tinyJpeg({ width: 41 }) },
    key: 'photo',
  });
  expect(other.statusCode).toBe(422);
  expect(other.json().message).toBe('Another photo has this id');
  expect(await list()).toHaveLength(1);
  expect((await record()).journal_version).toBe(1);
});

test('the same upload sent five times in parallel stores one photo', async () => {
  const { put, list, record } = await openPhotos();
  const id = randomUUID();
  const responses = await Promise.all(Array.from({ length: 5 }, () => put(id)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(await list()).toHaveLength(1);
  expect((await record()).etag).toBe('"v2"');
});

test('a deleted photo stays deleted after a late repeated upload, and is no longer the plant’s picture', async () => {
  const { request, plant, put, list, record } = await openPhotos();
  const id = randomUUID();
  await put(id);
  const { photo_id: _, ...fields } = await record();
  await request('PUT', `/api/plants/${plant.id}`, { payload: { ...fields, photo_id: id } });
  expect((await record()).photo_id).toBe(id);
  const response = await request('DELETE', `/api/photos/${id}`, { key: 'delete' });
  expect(response.json()).toEqual(await record());
  expect(response.json()).toMatchObject({ photo_id: null, journal_version: 2 });
  expect((await request('DELETE', `/api/photos/${id}`, { key: 'delete' })).json()).toEqual(
    response.json(),
  );
  expect((await request('DELETE', `/api/photos/${id}`)).statusCode).toBe(404);
  expect((await request('GET', `/api/photos/${id}`)).statusCode).toBe(404);
  const late = await put(id);
  expect([late.statusCode, late.json().code]).toEqual([410, 'gone']);
  expect(await list()).toEqual([]);
  const { rows } = await server.db.pool.query(
    'SELECT full_jpeg, small_jpeg FROM photos WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ full_jpeg: null, small_jpeg: null }]);
});

test('a deleted photo does not become the plant’s picture', async () => {
  const { request, plant, put, record } = await openPhotos();
  const [deleted, other] = [randomUUID(), randomUUID()];
  for (const id of [deleted, other]) await put(id);
  await request('DELETE', `/api/photos/${deleted}`);
  const update = async (photo_id: string) => {
    const payload = { ...(await record()), photo_id };
    return (await request('PUT', `/api/plants/${plant.id}`, { payload })).json();
  };
  expect(await update(deleted.toUpperCase())).toMatchObject({ photo_id: null });
  expect(await update(other)).toMatchObject({ photo_id: other });
  // A device sends which photo is the picture before it sends the photo.
  const unsent = randomUUID();
  expect(await update(unsent)).toMatchObject({ photo_id: unsent });
  expect(await update('of another server')).toMatchObject({ photo_id: 'of another server' });
});

test.each(['repotted', 'watered'] as const)(
  'a photo can belong to an entry “%s”, and belongs to none if the entry was removed before or after the upload',
  async (type) => {
    const { put, list, added, remove } = await openPhotos();
    const entry = await added({ type });
    await put(randomUUID(), { query: { entry_id: entry.id } });
    expect(await list()).toMatchObject([{ entry_id: entry.id }]);
    await remove(entry);
    await put(randomUUID(), { query: { entry_id: entry.id } });
    expect(await list()).toMatchObject([{ entry_id: null }, { entry_id: null }]);
  },
);

test('photos are listed newest first, and a time in the future counts as now', async () => {
  const { put, list, inMs } = await openPhotos();
  const times = [inMs(-3 * dayMs), inMs(dayMs), inMs(-400 * dayMs)];
  for (const taken_at of times) await put(randomUUID(), { query: { taken_at } });
  const taken = (await list()).map(({ taken_at }: { taken_at: string }) => taken_at);
  expect(taken).toEqual([inMs(0), times[0], times[2]]);
});

const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');

test.each<[string, Record<string, Buffer | string>, number, string]>([
  ['a PNG', { ...jpegs, full: png }, 415, 'A photo must be a JPEG'],
  ['a small size that is no JPEG', { ...jpegs, small: png }, 415, 'A photo must be a JPEG'],
  ['no small size', { full: jpegs.full }, 422, 'small: Required'],
  ['a text instead of a file', { ...jpegs, full: 'x' }, 422, 'full: Must be a file'],
  [
    'more than 2 MiB',
    { ...jpegs, full: tinyJpeg({ extra: 2 * 1024 * 1024 }) },
    413,
    'The file can have 2 MiB at most',
  ],
  [
    'far more than 2 MiB',
    { ...jpegs, full: tinyJpeg({ extra: 4 * 1024 * 1024 }) },
    413,
    'The file can have 2 MiB at most',
  ],
  [
    'a small size of more than 200 KiB',
    { ...jpegs, small: tinyJpeg({ extra: 200 * 1024 }) },
    413,
    'The file can have 200 KiB at most',
  ],
  [
    'more than 30 megapixels',
    { ...jpegs, full: tinyJpeg({ width: 6_000, height: 5_001 }) },
    413,
    'A photo can have 30 megapixels at most',
  ],
])(
  'an invalid upload is rejected with a message and not stored: %s',
  async (_, parts, status, message) => {
    const { put, list, record } = await openPhotos();
    const response = await put(randomUUID(), { parts });
    expect([response.statusCode, response.json().message]).toEqual([status, message]);
    expect(await list()).toEqual([]);
    expect((await record()).journal_version).toBe(0);
  },
);

test.each([
  ['JSON', 'application/json', '{}', 415],
  ['a bare JPEG', 'image/jpeg', 'x', 415],
  ['a form without a boundary', 'multipart/form-data', 'x', 422],
  ['a broken form', 'multipart/form-data; boundary=x', '--y\r\n\r\n', 422],
])('a body that is not a form is rejected: %s', async (_, type, payload, status) => {
  const { request, plant, inMs } = await openPhotos();
  const url = `/api/photos/${randomUUID()}?plant_id=${plant.id}&taken_at=${inMs(0)}`;
  const response = await request('PUT', url, { payload, headers: { 'content-type': type } });
  expect([response.statusCode, response.json().code]).toEqual([status, 'invalid']);
});

test.each([
  ['no plant', { plant_id: '' }, 'plant_id'],
  ['a time that does not exist', { taken_at: '2026-02-31T08:00:00Z' }, 'taken_at'],
  ['an entry that is no UUID', { entry_id: 'x' }, 'entry_id'],
])('a wrong query is rejected: %s', async (_, query, field) => {
  const { put } = await openPhotos();
  const response = await put(randomUUID(), { query });
  expect(response.statusCode).toBe(422);
  expect(response.json().detail[0].loc).toEqual(['query', field]);
});

test('an account can have as many photos as configured, not counting deleted ones, and none larger than the configured size', async () => {
  const small = await openTestServer(testClock(), { photoLimits: { bytes: 100_000, count: 2 } });
  const { request, put, list } = await openPhotos(undefined, small);
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  await put(ids[0]);
  await put(ids[1]);
  const response = await put(ids[2]);
  expect(response.statusCode).toBe(422);
  expect(response.json().message).toBe(
    'An account can have 2 photos; delete some that are not needed any more',
  );
  await request('DELETE', `/api/photos/${ids[0]}`);
  expect((await put(ids[2])).statusCode).toBe(200);
  expect(await list()).toHaveLength(2);
  const large = await put(randomUUID(), {
    parts: { ...jpegs, full: tinyJpeg({ extra: 100_000 }) },
  });
  expect(large.json().message).toBe('The file can have 97.6 KiB at most');
  await small.close();
});

test('photos of several plants that arrive at the same time do not exceed the limit', async () => {
  const small = await openTestServer(testClock(), { photoLimits: { bytes: 100_000, count: 2 } });
  const owner = await small.addAccount();
  const plants = await Promise.all([1, 2, 3, 4].map(() => openPhotos(owner, small)));
  // Uploads wait for the account's change counter, so that all of them are in progress at the same time.
  const holder = await small.db.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM change_counters WHERE user_id = $1 FOR UPDATE', [owner.userId]);
  const responses = Promise.all(plants.map(({ put }) => put(randomUUID())));
  await untilWaiting(small, plants.length);
  await holder.query('COMMIT');
  holder.release();
  const statuses = (await responses).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([200, 200, 422, 422]);
  await small.close();
});

test('other accounts cannot read a photo, and cannot find out whether its id exists', async () => {
  const mine = await openPhotos();
  const theirs = await openPhotos();
  const id = randomUUID();
  await mine.put(id);
  const url = `/api/photos/${id}`;
  for (const method of ['GET', 'DELETE'] as const) {
    const foreign = await theirs.request(method, url);
    const unknown = await theirs.request(method, `/api/photos/${randomUUID()}`);
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body]);
    expect((await requestAs(server, null)(method, url)).statusCode).toBe(401);
  }
  const list = `/api/plants/${mine.plant.id}/photos`;
  expect((await theirs.request('GET', list)).json().message).toBe('Plant not found');
  const onMine = await theirs.put(randomUUID(), { query: { plant_id: mine.plant.id } });
  expect([onMine.statusCode, onMine.json().message]).toEqual([404, 'Plant not found']);
  expect((await theirs.put(id)).statusCode).toBe(200);
  expect(await mine.list()).toHaveLength(1);
});

test('deleting a plant deletes its photos', async () => {
  const { request, plant, put } = await openPhotos();
  const id = randomUUID();
  await put(id);
  await request('DELETE', `/api/plants/${plant.id}`);
  expect((await request('GET', `/api/photos/${id}`)).statusCode).toBe(404);
  expect((await put(id)).json().message).toBe('Plant not found');
});

oneMachineTest('deleting a plant deletes its photos in steps of at most 20', async () => {
  const { plant, request, account } = await openPhotos();
  const kept = await openPhotos(account);
  await kept.put(randomUUID());
  const { pool } = server.db;
  await pool.query(
    `INSERT INTO photos (user_id, id, plant_id, taken_at, width, height, hash)
     SELECT user_id, gen_random_uuid(), id, now(), 8, 6, 'x' FROM plants, generate_series(1, 45) WHERE id = $1`,
    [plant.id],
  );
  await pool.query(`
    CREATE TABLE deletions (count integer);
    CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER count_deleted AFTER DELETE ON photos REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();`);
  expect((await request('DELETE', `/api/plants/${plant.id}`)).statusCode).toBe(200);
  const { rows } = await pool.query('SELECT count FROM deletions WHERE count > 0');
  expect(rows.map(({ count }) => count)).toEqual([20, 20, 5]);
  expect(await kept.list()).toHaveLength(1);
});
