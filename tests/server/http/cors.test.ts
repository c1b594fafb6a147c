import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addUser,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const origin = 'https://plants.example.org';
const second = 'https://staging.example.org:8443';

let open: TestServer;
let closed: TestServer;
let account: Account;
beforeAll(async () => {
  open = await openTestServer(testClock(), { corsOrigins: [origin, second], authRateLimit: 1 });
  closed = await openTestServer();
  account = await open.addAccount();
});
afterAll(async () => {
  await open.close();
  await closed.close();
});

interface RequestOptions {
  server?: TestServer;
  from?: string;
  as?: Account | null;
  payload?: object;
}

function request(
  method: 'GET' | 'POST',
  url: string,
  { from = origin, as = null, ...more }: RequestOptions = {},
) {
  const { server = open, payload } = more;
  return requestAs(server, as)(method, url, {
    headers: { origin: from },
    ...(payload && { payload }),
  });
}

function preflight(url: string, { server = open, from = origin }: RequestOptions = {}) {
  const headers = {
    origin: from,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
  };
  return server.app.inject({ method: 'OPTIONS', url, headers });
}

function corsHeaders({ headers }: { headers: Record<string, unknown> }) {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

test('without configured origins no page of another origin can read a response', async () => {
  for (const url of ['/api/plants', '/auth/me', '/healthz']) {
    expect(corsHeaders(await request('GET', url, { server: closed }))).toEqual([]);
    const asked = await preflight(url, { server: closed });
    expect([asked.statusCode, corsHeaders(asked)]).toEqual([404, []]);
  }
});

test.each([origin, second])(
  'a preflight from %s allows all methods and headers of the API',
  async (from) => {
    for (const url of ['/api/plants/1', '/api/logs', '/auth/login']) {
      const response = await preflight(url, { from });
      expect(response.statusCode).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': from,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'authorization, content-type, idempotency-key, if-match, if-none-match, a-im',
        'access-control-max-age': '7200',
      });
      expect(response.headers.vary).toMatch(/\bOrigin\b/i);
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  },
);

test('a page of an allowed origin can read the headers that the app needs: ETag, replay, delta, Retry-After and Date', async () => {
  const response = await request('GET', '/api/plants', { as: account });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'etag, idempotent-replayed, im, delta-base, retry-after, date',
  });
  expect(response.headers.vary).toMatch(/\bOrigin\b/i);
  expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each([
  'https://evil.example.org',
  'http://plants.example.org',
  'https://plants.example.org:444',
  'https://plants.example.org.evil.example',
  'https://staging.example.org',
  'null',
  '*',
])('a page of %s cannot read any response', async (from) => {
  const response = await request('GET', '/api/plants', { from, as: account });
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  expect((await preflight('/api/plants', { from })).headers).not.toHaveProperty(
    'access-control-allow-origin',
  );
});

test('a page of an allowed origin can read error responses', async () => {
  const unknown = '/api/plants/01890000-0000-7000-8000-000000000000';
  const wrong = { username_or_email: 'nobody', password: 'wrong' };
  const responses = [
    await request('GET', '/api/plants'),
    await request('GET', unknown, { as: account }),
    await request('GET', '/api/no/such/path', { as: account }),
    await request('POST', '/api/plants', { as: account, payload: {} }),
    await request('POST', '/auth/login', { payload: wrong }),
    await request('POST', '/auth/login', { payload: wrong }),
  ];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 404, 404, 422, 401, 429]);
  for (const { headers } of responses) expect(headers['access-control-allow-origin']).toBe(origin);
});

test('a page of an allowed origin can read 503 and 500 responses', async () => {
  const broken = await openTestServer(testClock(), { corsOrigins: [origin] });
  const { pool } = broken.db;
  const { query } = pool;
  for (const [code, status] of [
    ['ECONNREFUSED', 503],
    ['42601', 500],
  ] as const) {
    pool.query = (() => Promise.reject(Object.assign(new Error('x'), { code }))) as typeof query;
    const response = await request('GET', '/api/plants', { server: broken, as: account });
    expect(response.statusCode).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
  }
  pool.query = query;
  await broken.close();
});

test.each(['/healthz', '/', '/apiary', '/authors', '/signin?next=/api/'])(
  'even an allowed origin cannot read responses outside the API: %s',
  async (url) => {
    expect(corsHeaders(await request('GET', url))).not.toContain('access-control-allow-origin');
    const asked = await preflight(url);
    expect([asked.statusCode, corsHeaders(asked)]).toEqual([404, []]);
  },
);

test('a page of an allowed origin can sign in and use the API', async () => {
  await addUser(open.db, open.clock, 'far@example.org');
  const payload = { username_or_email: 'far@example.org', password: 'secret-garden' };
  const signedIn = await request('POST', '/auth/login', { payload });
  const as = { ...account, token: signedIn.json().access_token };
  expect((await request('GET', '/auth/me', { as })).json()).toMatchObject({
    email: 'far@example.org',
  });
});
