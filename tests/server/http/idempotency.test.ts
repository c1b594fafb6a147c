import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let account: Account;
let plantId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  plantId = (await addPlant(server, account)).id;
});

interface Sent {
  method?: 'POST' | 'PUT' | 'DELETE';
  url?: string;
  key: string;
  payload?: object;
  ifMatch?: string;
  as?: Account;
}

function send({ method = 'POST', url = `/api/plants/${plantId}/water`, ...sent }: Sent) {
  return server.app.inject({
    method,
    url,
    headers: {
      ...bearer(sent.as ?? account),
      'idempotency-key': sent.key,
      ...(sent.ifMatch && { 'if-match': sent.ifMatch }),
    },
    ...(sent.payload && { payload: sent.payload }),
  });
}

async function wateringCount(): Promise<number> {
  const { rowCount } = await server.db.pool.query('SELECT 1 FROM waterings WHERE plant_id = $1', [
    plantId,
  ]);
  return rowCount ?? 0;
}

test('a repeated request gets the first response unchanged and has no second effect', async () => {
  const first = await send({ key: '"water-1"' });
  server.clock.advance(60_000);
  const second = await send({ key: '"water-1"' });
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(second.body).toBe(first.body);
  expect(second.statusCode).toBe(first.statusCode);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect(await wateringCount()).toBe(1);
});

test('fifty parallel requests with one key have one effect and the same response', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => send({ key: 'burst' })));
  expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(
    49,
  );
  expect(await wateringCount()).toBe(1);
});

test('fifty parallel creates with one key make one plant', async () => {
  const create = { url: '/api/plants', key: 'new', payload: plantPayload({ nickname: 'Once' }) };
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(create)));
  expect(new Set(responses.map((response) => response.json().id)).size).toBe(1);
  const list = await server.app.inject({ url: '/api/plants', headers: bearer(account) });
  expect(list.json()).toHaveLength(2);
});

test('rejects a key that is reused with another query and changes nothing', async () => {
  await send({ key: 'reused' });
  const response = await send({ key: 'reused', url: `/api/plants/${plantId}/water?amount=100` });
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ code: 'idempotency_mismatch' });
  expect(await wateringCount()).toBe(1);
});

test('rejects a key that is reused for another plant and changes nothing', async () => {
  const other = await addPlant(server, account);
  await send({ key: 'reused' });
  const response = await send({ key: 'reused', url: `/api/plants/${other.id}/water` });
  expect(response.json()).toMatchObject({ code: 'idempotency_mismatch' });
  const { json } = await server.app.inject({
    url: `/api/plants/${other.id}`,
    headers: bearer(account),
  });
  expect(json()).toMatchObject({ last_watered: null });
});

test('rejects a key that is reused with another body', async () => {
  const create = { url: '/api/plants', key: 'body' };
  await send({ ...create, payload: plantPayload({ nickname: 'One' }) });
  const response = await send({ ...create, payload: plantPayload({ nickname: 'Two' }) });
  expect(response.json()).toMatchObject({ code: 'idempotency_mismatch' });
});

test('a failed request does not use up its key', async () => {
  const refused = await send({
    url: '/api/plants',
    key: 'retry',
    payload: plantPayload({ nickname: '' }),
  });
  expect(refused.statusCode).toBe(422);
  const stale = { method: 'PUT', url: `/api/plants/${plantId}`, key: 'retry' } as const;
  expect((await send({ ...stale, payload: plantPayload(), ifMatch: '"v9"' })).statusCode).toBe(412);
  expect((await send({ ...stale, payload: plantPayload(), ifMatch: '"v1"' })).statusCode).toBe(200);
});

test('a repeated edit gets the stored response although its If-Match is outdated by now', async () => {
  const edit = {
    method: 'PUT',
    url: `/api/plants/${plantId}`,
    key: 'edit',
    payload: plantPayload({ nickname: 'Edited' }),
    ifMatch: '"v1"',
  } as const;
  const first = await send(edit);
  const second = await send(edit);
  expect(second.statusCode).toBe(200);
  expect(second.body).toBe(first.body);
  expect(second.headers.etag).toBe('"v2"');
});

test('a repeated delete gets the stored response although the plant no longer exists', async () => {
  const remove = { method: 'DELETE', url: `/api/plants/${plantId}`, key: 'gone' } as const;
  const [first, second] = [await send(remove), await send(remove)];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(second.json()).toEqual({ message: expect.any(String) });
});

test('two accounts can use the same key', async () => {
  const other = await server.addAccount();
  const create = { url: '/api/plants', key: 'shared', payload: plantPayload() };
  await send(create);
  const response = await send({ ...create, as: other });
  expect(response.headers['idempotent-replayed']).toBeUndefined();
  expect(response.statusCode).toBe(201);
});

test('a key is the same with and without quotes', async () => {
  await send({ key: '"same"' });
  expect((await send({ key: 'same' })).headers['idempotent-replayed']).toBe('true');
  expect(await wateringCount()).toBe(1);
});

test.each(['""', 'k'.repeat(201)])('a key of %j is rejected', async (key) => {
  expect((await send({ key })).statusCode).toBe(422);
  expect(await wateringCount()).toBe(0);
});

test('without a key every request takes effect', async () => {
  const water = { method: 'POST', url: `/api/plants/${plantId}/water` } as const;
  await server.app.inject({ ...water, headers: bearer(account) });
  await server.app.inject({ ...water, headers: bearer(account) });
  expect(await wateringCount()).toBe(2);
});
