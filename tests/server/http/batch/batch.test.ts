import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { batchRequest } from '#contract/batch.ts';
import { updatePlantRequest } from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { lockPlant, untilWaiting } from '../../../support/database/database-waits.ts';
import { plantPayload } from '../../../support/factories.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';
import { create, edit, remove, resultsOf, sendBatch, water } from './support/batch.ts';

let server: TestServer;
let account: Account;
let one: string;
let other: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  one = (await addPlant(server, account, { nickname: 'One' })).id;
  other = (await addPlant(server, account, { nickname: 'Other' })).id;
});

const run = (operations: Parameters<typeof resultsOf>[2]) => resultsOf(server, account, operations);
const statuses = async (operations: Parameters<typeof resultsOf>[2]) =>
  (await run(operations)).map(({ status }) => status);

async function nicknames(): Promise<string[]> {
  const response = await server.app.inject({ url: '/api/plants', headers: bearer(account) });
  return response.json<PlantRecord[]>().map(({ nickname }) => nickname ?? '');
}

async function wateringCount(plantId: string): Promise<number> {
  const found = await server.db.pool.query('SELECT 1 FROM waterings WHERE plant_id = $1', [
    plantId,
  ]);
  return found.rowCount ?? 0;
}

test('responds to every operation as to a separate request, in the order of the operations', async () => {
  const results = await run([
    water('a', one, 250),
    create('b', 'New'),
    edit('c', other, 'Edited', '"v1"'),
    edit('d', one, 'Stale', '"v1"'),
  ]);
  expect(results.map(({ status }) => status)).toEqual([200, 201, 200, 412]);
  expect(results.map(({ headers }) => headers.etag)).toEqual(['"v2"', '"v1"', '"v2"', '"v2"']);
  expect(results[0]?.body).toMatchObject({ id: one, last_watered: server.clock().toISOString() });
  expect(results[1]?.body).toMatchObject({ nickname: 'New' });
  expect(results[2]?.body).toMatchObject({ id: other, nickname: 'Edited' });
  // A 412 contains the current record, for the merge.
  expect(results[3]?.body).toMatchObject({ id: one, nickname: 'One' });
  for (const { headers } of results) expect(Date.parse(headers.date ?? '')).toBeGreaterThan(0);
});

test('runs the operations of one plant in order', async () => {
  const operations = Array.from({ length: 12 }, (_, n) =>
    edit(`edit-${n}`, one, `Name ${n}`, `"v${n + 1}"`),
  );
  expect(await statuses(operations)).toEqual(Array(12).fill(200));
  expect(await nicknames()).toEqual(['Name 11', 'Other']);
});

test('after an operation fails, later operations of the same plant are not executed, and operations of other plants are', async () => {
  const results = await run([
    edit('a', one, 'Stale', '"v9"'),
    water('b', other),
    water('c', one),
    edit('d', one.toUpperCase(), 'Too late'),
  ]);
  expect(results.map(({ status }) => status)).toEqual([412, 200, 424, 424]);
  expect(results[2]?.body).toEqual({ code: 'not_executed', message: expect.any(String) });
  expect(await wateringCount(one)).toBe(0);
  // The key is still unused: sent again, the operation takes effect.
  const [later] = await run([water('c', one)]);
  expect(later?.headers['idempotent-replayed']).toBeUndefined();
  expect(await wateringCount(one)).toBe(1);
});

test('deleting a plant that is already gone does not count as failed', async () => {
  await run([remove('a', one)]);
  const results = await run([remove('b', one), water('c', one), water('d', other)]);
  expect(results.map(({ status }) => status)).toEqual([404, 404, 200]);
});

test('a repeated batch replays the done operations and executes the others', async () => {
  const operations = [water('a', one), edit('b', one, 'Edited'), water('c', other)];
  const [done] = await run(operations.slice(0, 1));
  const results = await run(operations);
  const replayed = () => results.map(({ headers }) => headers['idempotent-replayed'] === 'true');
  expect(replayed()).toEqual([true, false, false]);
  expect(results[0]?.body).toEqual(done?.body);
  const again = await run(operations);
  expect(again.every(({ headers }) => headers['idempotent-replayed'] === 'true')).toBe(true);
  expect(again.map(({ body }) => body)).toEqual(results.map(({ body }) => body));
  expect([await wateringCount(one), await wateringCount(other)]).toEqual([1, 1]);
});

test('an operation of a batch gets the stored response if its request was already sent alone with the same key', async () => {
  const request = updatePlantRequest(one, plantPayload({ nickname: 'Näme "1"\u2028' }), '"v1"');
  await server.app.inject({
    method: 'PUT',
    url: request.path,
    headers: {
      ...bearer(account),
      'idempotency-key': 'op',
      'content-type': 'application/json',
      'if-match': '"v1"',
    },
    payload: request.body ?? '',
  });
  const { body } = batchRequest([{ key: 'op', request }]);
  const [result] = await run(JSON.parse(body ?? '').operations);
  expect(result).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
});

test('the same batch sent twice in parallel has one effect per operation', async () => {
  const operations = [
    ...Array.from({ length: 10 }, (_, n) => create(`create-${n}`, `New ${n}`)),
    ...Array.from({ length: 10 }, (_, n) => water(`water-${n}`, n % 2 ? one : other)),
  ];
  const [first, second] = await Promise.all([run(operations), run(operations)]);
  expect(first.map(({ status, body }) => [status, body])).toEqual(
    second.map(({ status, body }) => [status, body]),
  );
  expect(await nicknames()).toHaveLength(12);
  expect([await wateringCount(one), await wateringCount(other)]).toEqual([5, 5]);
});

test('plants of other accounts are not found', async () => {
  const stranger = await server.addAccount();
  const results = await resultsOf(server, stranger, [
    edit('a', one, 'Mine now'),
    water('b', other),
    remove('c', one),
  ]);
  expect(results.map(({ status }) => status)).toEqual([404, 404, 424]);
  expect(await nicknames()).toEqual(['One', 'Other']);
});

test.each([
  ['GET', '/api/plants'],
  ['POST', '/api/logs'],
  ['POST', '/api/batch'],
  ['POST', '/auth/logout'],
  ['POST', '/api/device-tokens'],
  ['POST', '/api/plants/../batch'],
  ['POST', '/api/plants/%2e%2e/water'],
  ['PUT', '/api/plants/x#y'],
  ['PUT', '/api/plants/é'],
  ['PUT', '/api/plants/x\\y'],
  ['PUT', '//evil.example/api/plants/x'],
  ['PATCH', '/api/plants/x'],
  ['', ''],
])('rejects %s %s as an operation and executes the others', async (method, path) => {
  const results = await run([{ key: 'a', method, path, body: {} }, water('b', one)]);
  expect(results.map(({ status }) => status)).toEqual([422, 200]);
  expect(results[0]?.body.code).toBe('invalid');
});

test.each(['', 'a b', 'a\nx-injected: 1', 'é', 'k'.repeat(300)])(
  'rejects the key %j without rejecting the batch',
  async (key) => {
    expect(await statuses([{ ...water('x', one), key }, water('b', other)])).toEqual([422, 200]);
  },
);

test('input that a route rejects fails only its own operation', async () => {
  const results = await run([
    { ...edit('a', one, 'Nul\0'), if_match: null },
    { ...create('c', 'None'), body: null },
    { ...create('d', 'Large'), body: { nickname: 'x'.repeat(70_000) } },
    { ...water('e', other), if_match: '"v1"\r\nx: y' },
    create('f', 'Fine'),
  ]);
  expect(results.map(({ status }) => status)).toEqual([422, 422, 413, 422, 201]);
  expect(await nicknames()).toEqual(['One', 'Other', 'Fine']);
});

test.each([
  ['is nested too deeply', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  [
    'has a number that JSON cannot pass on',
    JSON.stringify(plantPayload()).replace('"soil_humidity_threshold_max":70', '$&e999'),
  ],
])('rejects an operation whose body %s', async (_, body) => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/batch',
    headers: { ...bearer(account), 'content-type': 'application/json' },
    payload: `{"operations":[{"key":"a","method":"POST","path":"/api/plants","body":${body}}]}`,
  });
  expect(response.json()).toMatchObject({ results: [{ status: 422, body: { code: 'invalid' } }] });
});

test.each([
  [undefined],
  ['x'],
  [[]],
  [[null]],
  [[{ key: 'a', method: 'POST' }]],
  [[{ key: 1, method: 'POST', path: '/api/plants' }]],
  [Array.from({ length: 51 }, (_, n) => ({ key: `${n}`, method: 'POST', path: '/api/plants' }))],
])(
  'rejects a batch with invalid operations, and the error names the invalid field: %j',
  async (operations) => {
    const response = await sendBatch(server, account, operations);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      code: 'invalid',
      detail: [{ loc: expect.any(Array) }],
    });
  },
);

test('accepts fifty operations, but not 128 kB', async () => {
  const fifty = Array.from({ length: 50 }, (_, n) => water(`water-${n}`, n % 2 ? one : other));
  expect(await statuses(fifty)).toEqual(Array(50).fill(200));
  const large = [{ ...create('a', 'x'), body: { description: 'x'.repeat(131_072) } }];
  const response = await sendBatch(server, account, large);
  expect(response.statusCode).toBe(413);
  expect(response.json()).toEqual({ code: 'body_too_large', message: 'The request is too large' });
});

test('a batch with an ended session gets a 401 as a whole', async () => {
  await server.app.inject({ method: 'POST', url: '/auth/logout', headers: bearer(account) });
  const response = await sendBatch(server, account, [water('a', one)]);
  expect([response.statusCode, response.json().code]).toEqual([401, 'unauthorized']);
});

test('if the session ends during a batch, the batch gets a 401; when it is sent again, operations that were done get their stored responses', async () => {
  const sessionId = JSON.parse(atob(account.token.split('.')[1] ?? '')).sid;
  const locker = await server.db.pool.connect();
  await locker.query('BEGIN');
  await lockPlant(locker, one);
  const operations = [water('a', other), water('b', one), edit('c', one, 'Too late')];
  const sent = sendBatch(server, account, operations);
  await expect.poll(() => wateringCount(other)).toBe(1);
  await locker.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
  await locker.query('COMMIT');
  locker.release();
  expect((await sent).statusCode).toBe(401);
  expect(await nicknamesAs(account)).toBeNull();
  const again = await server.app.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { username_or_email: account.email, password: account.password },
  });
  const token = again.json<{ access_token: string }>().access_token;
  const results = await resultsOf(server, { token }, operations);
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await wateringCount(other)).toBe(1);
});

async function nicknamesAs(person: Account): Promise<string[] | null> {
  const response = await server.app.inject({ url: '/api/plants', headers: bearer(person) });
  return response.statusCode === 401 ? null : response.json();
}

test('a stopping server finishes the operations in progress and responds to the others with 503', async () => {
  const stopping = await openTestServer();
  const person = await stopping.addAccount();
  const plants = await Promise.all(Array.from({ length: 6 }, () => addPlant(stopping, person)));
  const locker = await stopping.db.pool.connect();
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM plants WHERE user_id = $1 FOR UPDATE', [person.userId]);
  const operations = plants.map(({ id }, n) => water(`water-${n}`, id));
  const sent = resultsOf(stopping, person, operations);
  await untilWaiting(stopping, 4);
  const closed = stopping.app.close();
  await locker.query('COMMIT');
  locker.release();
  const results = await sent;
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503]);
  expect(results[4]).toMatchObject({
    headers: { 'retry-after': '2' },
    body: { code: 'unavailable' },
  });
  await closed;
  await stopping.close();
});
