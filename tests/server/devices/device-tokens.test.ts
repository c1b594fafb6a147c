import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceToken, NewDeviceToken } from '#contract/device-tokens.ts';
import { sessions } from '#server/accounts/schema.ts';
import { newToken } from '#server/accounts/token.ts';
import { requestAs } from '../../support/server/request.ts';
import { routesOf } from '../../support/server/routes.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const minuteMs = 60_000;
const unknownId = '01a1fbfe-0006-7710-9f02-e15270ccb538';
const refusal = { code: 'unauthorized', message: 'Authentication required' };
const notFound = { code: 'not_found', message: 'Device token not found' };

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  owner = await server.addAccount();
});
afterAll(() => server.close());

async function addToken(device_id = 'pot-1', account: Account = owner): Promise<NewDeviceToken> {
  const response = await requestAs(server, account)('POST', '/api/device-tokens', {
    payload: { device_id },
  });
  if (response.statusCode !== 201) throw new Error(`no token: ${response.body}`);
  return response.json();
}

async function listTokens(account: Account = owner): Promise<DeviceToken[]> {
  return (await requestAs(server, account)('GET', '/api/device-tokens')).json();
}

function report(token: NewDeviceToken, log: object = {}, key?: string) {
  return requestAs(server, token)('POST', '/api/logs', {
    payload: { soil_humidity: 40, ...log },
    ...(key !== undefined && { key }),
  });
}

async function readingsOf(plant: { id: string }): Promise<unknown[]> {
  return (await requestAs(server, owner)('GET', `/api/logs/plant/${plant.id}`)).json();
}

test('the secret of a new token is only in the response to the request that creates it', async () => {
  const response = await requestAs(server, owner)('POST', '/api/device-tokens', {
    payload: { device_id: '  pot-1 ' },
  });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({
    id: expect.any(String),
    device_id: 'pot-1',
    created_at: server.clock().toISOString(),
    last_used_at: null,
    token: expect.stringMatching(/^sprig_[A-Za-z0-9_-]{43}$/),
  });
  const { token, ...listed } = response.json<NewDeviceToken>();
  expect(await listTokens()).toEqual([listed]);
  expect((await addToken()).token).not.toBe(token);
});

test('an account lists its own tokens, newest first', async () => {
  const stranger = await server.addAccount();
  await addToken('theirs', stranger);
  const first = await addToken('pot-1');
  const second = await addToken('pot-2');
  server.clock.advance(minuteMs);
  const third = await addToken('pot-1');
  expect((await listTokens()).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
});

test.each([
  {},
  { device_id: '' },
  { device_id: '  ' },
  { device_id: 7 },
  '[]',
  { device_id: 'x'.repeat(201) },
])('a token cannot be created without a valid device id: %j', async (payload) => {
  const response = await requestAs(server, owner)('POST', '/api/device-tokens', { payload });
  expect(response.statusCode).toBe(422);
  expect(await listTokens()).toEqual([]);
});

test('an account has at most 100 tokens, even when they are created in parallel', async () => {
  const made = await Promise.all(
    Array.from({ length: 104 }, (_, n) =>
      requestAs(server, owner)('POST', '/api/device-tokens', {
        payload: { device_id: `pot-${n}` },
      }),
    ),
  );
  const refused = made.filter(({ statusCode }) => statusCode !== 201);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
  expect(refused[0]?.json()).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('100 device tokens'),
  });
  const tokens = await listTokens();
  expect(tokens).toHaveLength(100);
  await requestAs(server, owner)('DELETE', `/api/device-tokens/${tokens[0]?.id}`);
  await addToken();
});

test('a device can post readings without sending its device id', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  const response = await report(token, { timestamp: '2026-11-20T07:59:00.000Z' });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({ plant_id: plant.id, soil_humidity: 40, commands: [] });
  expect((await report(token, { device_id: 'pot-1' })).statusCode).toBe(201);
  expect((await report(token, { plant_id: plant.id })).statusCode).toBe(201);
  expect(await readingsOf(plant)).toHaveLength(2);
});

test('a device that two plants share must send the plant id', async () => {
  const fern = await addPlant(server, owner, { device_id: 'pot-1' });
  await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  expect((await report(token)).statusCode).toBe(422);
  const response = await report(token, { plant_id: fern.id });
  expect([response.statusCode, response.json().plant_id]).toEqual([201, fern.id]);
});

test('two devices of an account may use the same idempotency key', async () => {
  const [fern, palm] = [
    await addPlant(server, owner, { device_id: 'pot-1' }),
    await addPlant(server, owner, { device_id: 'pot-2' }),
  ];
  const first = await report(await addToken('pot-1'), {}, 'boot-1');
  expect([first.statusCode, first.json().plant_id]).toEqual([201, fern.id]);
  const second = await report(await addToken('pot-2'), {}, 'boot-1');
  expect([second.statusCode, second.json().plant_id]).toEqual([201, palm.id]);
});

test('a device cannot post for another device or its plant', async () => {
  const other = await addPlant(server, owner, { device_id: 'pot-2' });
  const bare = await addPlant(server, owner);
  const byId = { plant_id: other.id };
  await report(await addToken('pot-2'), byId);
  const before = await readingsOf(other);
  expect(before).toHaveLength(1);

  const token = await addToken('pot-1');
  const responses = await Promise.all([
    report(token, { device_id: 'pot-2' }),
    report(token, { device_id: 'POT-1' }),
    report(token, byId),
    report(token, { plant_id: other.id.toUpperCase() }),
    report(token, { ...byId, device_id: 'pot-1' }),
    report(token, { ...byId, device_id: 'pot-2' }),
    report(token, { plant_id: bare.id }),
  ]);
  for (const response of responses) {
    expect([response.statusCode, response.json().code]).toEqual([403, 'forbidden']);
  }
  server.clock.advance(minuteMs);
  expect(await readingsOf(other)).toEqual(before);
  expect(await readingsOf(bare)).toEqual([]);
});

test('the former device of a plant can no longer post for it, not even with an idempotency key that it has used', async () => {
  const { id, ...fields } = await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  const byId = { plant_id: id };
  const [first, again] = [await report(token, byId, 'used'), await report(token, byId, 'used')];
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  const before = await readingsOf({ id });
  expect(before).toHaveLength(1);
  await requestAs(server, owner)('PUT', `/api/plants/${id}`, {
    payload: { ...fields, device_id: 'pot-2' },
  });
  server.clock.advance(minuteMs);
  expect((await report(token)).statusCode).toBe(404);
  for (const key of [undefined, 'used']) {
    expect((await report(token, byId, key)).statusCode).toBe(403);
  }
  expect(await readingsOf({ id })).toEqual(before);
});

test('a device cannot post for a plant of another account with the same device id', async () => {
  const stranger = await server.addAccount();
  const foreign = await addPlant(server, stranger, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  expect((await report(token)).statusCode).toBe(404);
  expect((await report(token, { plant_id: foreign.id })).statusCode).toBe(404);
  expect((await report(token, { plant_id: unknownId })).statusCode).toBe(404);
  const logs = await requestAs(server, stranger)('GET', `/api/logs/plant/${foreign.id}`);
  expect(logs.json()).toEqual([]);
});

test('every authenticated route except POST /api/logs rejects a device token and has no effect', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  const shut = (await guardedRoutes()).filter(
    ({ method, url }) => !(method === 'POST' && url === '/api/logs'),
  );
  expect(shut).toContainEqual({ method: 'GET', url: '/api/plants/with-latest-readings' });
  expect(shut).toContainEqual({ method: 'POST', url: '/auth/logout' });
  expect(shut.length).toBeGreaterThan(14);
  for (const { method, url } of shut) {
    const id = url.includes('device-tokens') ? token.id : plant.id;
    const response = await requestAs(server, token)(method, url.replace(':id', id), {
      ...(method !== 'GET' && method !== 'HEAD' && { payload: '{ not even JSON' }),
    });
    expect([method, url, response.statusCode]).toEqual([method, url, 403]);
    if (method !== 'HEAD') expect(response.json().code).toBe('forbidden');
  }
  expect(await listTokens()).toMatchObject([{ id: token.id }]);
  const kept = await requestAs(server, owner)('GET', `/api/plants/${plant.id}`);
  expect(kept.json()).toMatchObject({ id: plant.id, last_watered: null });
});

/** Every route that requires authentication. */
async function guardedRoutes() {
  const found = routesOf(server.app);
  const responses = await Promise.all(
    found.map(({ method, url }) => requestAs(server, null)(method, url.replace(':id', unknownId))),
  );
  return found.filter((_, n) => responses[n]?.statusCode === 401);
}

test('a revoked token gets a 401 from the next request on, other tokens still work', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const [lost, kept] = [await addToken('pot-1'), await addToken('pot-1')];
  expect((await report(lost)).statusCode).toBe(201);
  const response = await requestAs(server, owner)('DELETE', `/api/device-tokens/${lost.id}`);
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { message: 'Device token revoked' },
  ]);
  const refused = await report(lost);
  expect([refused.statusCode, refused.json()]).toEqual([401, refusal]);
  expect((await report(kept)).statusCode).toBe(201);
  expect((await listTokens()).map(({ id }) => id)).toEqual([kept.id]);
});

test.each([
  ['sprig_', 'sprig_'],
  ['of nobody', `sprig_${'A'.repeat(43)}`],
  ['too short', `sprig_${'A'.repeat(42)}`],
  ['too long', `sprig_${'A'.repeat(44)}`],
  ['no token at all', 'sprig_%00'],
])('rejects an invented token: %s', async (_, token) => {
  const response = await requestAs(server, { token })('POST', '/api/logs', {
    payload: { device_id: 'pot-1', soil_humidity: 1 },
  });
  expect([response.statusCode, response.json()]).toEqual([401, refusal]);
});

/** A token as version 0.1 issued it. `text`: its 43 characters, which do not contain the account's id. */
async function addOldToken(text: string, device_id: string): Promise<NewDeviceToken> {
  const token = await addToken(device_id);
  const old = `sprig_${text}`;
  await server.db.pool.query('UPDATE device_tokens SET token_hash = $1 WHERE id = $2', [
    createHash('sha256').update(old).digest('base64url'),
    token.id,
  ]);
  return { ...token, token: old };
}

test.each([
  ['names no account', () => randomBytes(32).toString('base64url').replace(/_/g, 'x')],
  ['seems to name another account', () => newToken(unknownId)],
])('a token of version 0.1 that %s works until it is revoked', async (_, text) => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addOldToken(text(), 'pot-1');
  expect((await report(token)).statusCode).toBe(201);
  expect((await report(token)).statusCode).toBe(201);
  expect((await addToken('pot-1')).token).not.toBe(token.token);
  await requestAs(server, owner)('DELETE', `/api/device-tokens/${token.id}`);
  expect((await report(token)).statusCode).toBe(401);
});

test('a token is looked up among the rows of its account only', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  const asked = vi.spyOn(server.db.pool, 'query');
  expect((await report(token)).statusCode).toBe(201);
  const lookups = asked.mock.calls
    .map(([query]) => JSON.stringify(query))
    .filter((query) => query.includes('token_hash'));
  asked.mockRestore();
  expect(lookups).toHaveLength(1);
  expect(lookups[0]).toContain(owner.userId);
});

test('revoking a token gets the same 404 whether its id is revoked, foreign, unknown or malformed', async () => {
  const stranger = await server.addAccount();
  const theirs = await addToken('pot-1', stranger);
  const mine = await addToken();
  await requestAs(server, owner)('DELETE', `/api/device-tokens/${mine.id}`);
  for (const id of [mine.id, theirs.id, unknownId, 'nonsense', '%00']) {
    const response = await requestAs(server, owner)('DELETE', `/api/device-tokens/${id}`);
    expect([id, response.statusCode, response.json()]).toEqual([id, 404, notFound]);
  }
  expect(await listTokens(stranger)).toHaveLength(1);
});

test('repeating a revocation with its idempotency key gets the stored response', async () => {
  const token = await addToken();
  const revoke = () =>
    requestAs(server, owner)('DELETE', `/api/device-tokens/${token.id}`, { key: 'revoke-it' });
  const first = await revoke();
  const again = await revoke();
  expect([again.statusCode, again.body]).toEqual([200, first.body]);
  expect(again.headers['idempotent-replayed']).toBe('true');
});

test('only hashes are stored: no table contains a token, not even if a request is repeated with its idempotency key', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const make = () =>
    requestAs(server, owner)('POST', '/api/device-tokens', {
      payload: { device_id: 'pot-1' },
      key: 'make-it',
    });
  const [first, second] = [await make(), await make()];
  const tokens = [first, second].map((response) => response.json<NewDeviceToken>());
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(2);
  for (const token of tokens) {
    const response = await report(token, { plant_id: plant.id }, `report-${token.id}`);
    expect(response.statusCode).toBe(201);
    expect(response.body).not.toContain('sprig_');
  }
  const tables = await server.db.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  expect(tables.rows.map(({ name }) => name)).toContain('device_tokens');
  for (const { name } of tables.rows) {
    const { rows } = await server.db.pool.query(`SELECT t::text FROM "${name}" t`);
    for (const { token } of tokens) {
      expect([name, JSON.stringify(rows).includes(token.slice(6))]).toEqual([name, false]);
    }
  }
});

test('the last use is stored to within five minutes', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  const lastUse = async () => (await listTokens())[0]?.last_used_at;
  const first = server.clock().toISOString();
  await report(token);
  expect(await lastUse()).toBe(first);
  server.clock.advance(5 * minuteMs - 1);
  await report(token);
  expect(await lastUse()).toBe(first);
  server.clock.advance(1);
  await report(token);
  expect(await lastUse()).toBe(server.clock().toISOString());
});

test('devices go on reporting when the account’s sessions end', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const token = await addToken('pot-1');
  await requestAs(server, owner)('POST', '/auth/logout');
  await server.db.orm.delete(sessions).where(eq(sessions.userId, owner.userId));
  expect((await requestAs(server, owner)('GET', '/auth/me')).statusCode).toBe(401);
  server.clock.advance(400 * 24 * 60 * minuteMs);
  expect((await report(token)).statusCode).toBe(201);
  const back = { ...owner, token: await login(server.app, owner.email, owner.password) };
  expect(await listTokens(back)).toHaveLength(1);
});

test('the device token routes respond to requests without a token with a 401', async () => {
  const request = requestAs(server, null);
  const responses = [
    await request('GET', '/api/device-tokens'),
    await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } }),
    await request('DELETE', `/api/device-tokens/${unknownId}`),
  ];
  expect(responses.map((response) => [response.statusCode, response.json()])).toEqual(
    responses.map(() => [401, refusal]),
  );
});
