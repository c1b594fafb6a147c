import { afterAll, beforeAll, expect, test } from 'vitest';
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
beforeAll(async () => {
  server = await openTestServer();
  account = await server.addAccount();
});
afterAll(() => server.close());

function post(payload: string | Buffer, type = 'application/json') {
  return server.app.inject({
    method: 'POST',
    url: '/api/plants',
    headers: { ...bearer(account), 'content-type': type },
    payload,
  });
}

test.each<[what: string, payload: string | Buffer, type: string, status: number]>([
  ['broken JSON', '{"nickname": ', 'application/json', 400],
  ['a prototype in JSON', '{"__proto__": {"isAdmin": true}}', 'application/json', 400],
  [
    'bytes that are not UTF-8',
    Buffer.from('{"nickname": "caf\xe9"}', 'latin1'),
    'application/json',
    400,
  ],
  ['another content type', 'nickname=Fern', 'application/x-www-form-urlencoded', 415],
  ['over 64 KiB', JSON.stringify({ nickname: 'x'.repeat(70_000) }), 'application/json', 413],
  ['a list', '[]', 'application/json', 422],
  ['a number', '7', 'application/json', 422],
  ['nothing', '', 'application/json', 422],
  ['a NUL in a name', JSON.stringify({ nickname: 'a\0b' }), 'application/json', 422],
])('a bad request body gets an error in the usual format: %s', async (_, payload, type, status) => {
  const response = await post(payload, type);
  expect(response.statusCode).toBe(status);
  expect(response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect(response.body).not.toMatch(/\bat .*:\d+|SELECT|INSERT|node_modules/);
});

test.each(['/auth/me', '/api/reminders'])(
  'a PATCH of %s rejects a list, though no field is required',
  async (url) => {
    const payload = [{ op: 'replace', path: '/username', value: 'Ann' }];
    const response = await server.app.inject({
      method: 'PATCH',
      url,
      headers: bearer(account),
      payload,
    });
    const detail = [{ loc: ['body'], msg: 'Expected Object' }];
    expect([response.statusCode, response.json().detail]).toEqual([422, detail]);
  },
);

test.each([
  ['GET', '/api/nothing?token=secret'],
  ['PATCH', '/api/plants'],
] as const)(
  '%s %s gets a 404 that names the method and does not repeat the URL',
  async (method, url) => {
    const response = await server.app.inject({ method, url, headers: bearer(account) });
    const message = `This URL does not exist, or does not accept ${method} requests`;
    expect([response.statusCode, response.json()]).toEqual([404, { code: 'not_found', message }]);
  },
);

test('the message about a list that is too long counts items, not characters', async () => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(account),
    payload: {
      device_id: 'pot-7',
      soil_humidity: 1,
      command_results: Array(101).fill({ id: 'run', status: 'done' }),
    },
  });
  expect(response.json().message).toContain('command_results: Must be at most 100 items');
});

test('a client that sends a body far above the limit gets the response, not a broken connection', async () => {
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = {
    authorization: bearer(account).authorization,
    'content-type': 'application/json',
  };
  const body = new Uint8Array(8_000_000);
  const statuses = [];
  for (let n = 0; n < 10; n += 1) {
    statuses.push((await fetch(`${url}/api/plants`, { method: 'POST', headers, body })).status);
  }
  expect(statuses).toEqual(Array(10).fill(413));
});

test.each([
  ['snappy', 415, 'The Content-Encoding is not supported'],
  ['gzip', 400, 'The request cannot be decompressed'],
])(
  'a body that is encoded as %s but cannot be decoded gets an error that says so',
  async (encoding, status, message) => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/plants',
      headers: {
        ...bearer(account),
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      payload: JSON.stringify(plantPayload()),
    });
    expect([response.statusCode, response.json()]).toEqual([status, { code: 'invalid', message }]);
  },
);

test.each([1, 1_000])(
  'a body of another length than its Content-Length of %d gets an error that says so',
  async (length) => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/plants',
      headers: {
        ...bearer(account),
        'content-type': 'application/json',
        'content-length': String(length),
      },
      payload: JSON.stringify(plantPayload()),
    });
    const message = 'The Content-Length is not the length of the body';
    expect([response.statusCode, response.json()]).toEqual([400, { code: 'invalid', message }]);
  },
);

test.each([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['bytes', { 'content-type': 'application/octet-stream' }],
  ['chunks of no type', { 'transfer-encoding': 'chunked' }],
])('an empty body counts as no body, even if it is sent as %s', async (_, headers) => {
  const { id } = await addPlant(server, account);
  const response = await server.app.inject({
    method: 'POST',
    url: `/api/plants/${id}/water`,
    headers: { ...bearer(account), ...headers },
    payload: '',
  });
  expect(response.statusCode).toBe(200);
});

test.each([
  '/api/nothing-here',
  '/auth/nothing-here',
  '/api',
  `/api/plants/${'x'.repeat(5_000)}`,
  '/api/plants/%00',
  '/api/plants/%F0%9F',
])('an unknown or malformed URL gets a JSON error: %s', async (url) => {
  const response = await server.app.inject({ url, headers: bearer(account) });
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(response.statusCode).toBeLessThan(500);
  expect(response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
});

test('500 random requests get no 5xx, and no SQL or stack in a body', async () => {
  const { id } = await addPlant(server, account);
  const random = seeded(20261121);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const junk = ['', 'null', '[]', '{}', '"\\u0000"', '1e999', '{"a":'.repeat(200), '🌿'.repeat(99)];
  const ids = [id, '0', '-1', "' OR 1=1 --", '%00', '../../etc/passwd', 'a'.repeat(300), '💧'];
  const templates = [
    '/auth/login',
    '/auth/register',
    '/auth/me',
    '/api/plants',
    '/api/plants/:id',
    '/api/plants/:id/water?amount=:id',
    '/api/logs',
    '/api/logs/plant/:id?limit=:id&from=:id',
    '/auth/verify-email?token=:id',
  ];
  for (let i = 0; i < 500; i++) {
    const response = await server.app.inject({
      method: pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const),
      url: pick(templates).replaceAll(':id', () => encodeURIComponent(pick(ids))),
      headers: {
        ...(random() < 0.7 && bearer(account)),
        'content-type': pick(['application/json', 'text/plain', 'application/json; charset=x']),
        'idempotency-key': pick(['', 'k', '"'.repeat(9), 'x'.repeat(999)]),
        'if-match': pick(['*', '"v1"', ',,,', '\u00ff']),
      },
      payload: pick(junk),
    });
    expect(response.statusCode, `${i}: ${response.body}`).toBeLessThan(500);
    expect(response.body).not.toMatch(/ at .*\(.*:\d+:\d+\)|\bSELECT\b|\bINSERT\b/);
  }
  expect((await server.app.inject({ url: '/healthz' })).statusCode).toBe(200);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
