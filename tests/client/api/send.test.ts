import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Fetch, NoResponse, type RequestOptions, send } from '#client/api/send.ts';
import { type ApiRequest, request } from '#contract/request.ts';
import {
  brokenNetwork,
  captivePortal,
  fetchResponding,
  silentNetwork,
} from '../../support/device/fetch-stub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const get = request('GET', '/api/plants');
const put: ApiRequest = { method: 'PUT', path: '/api/plants/1', body: '{"a":1}', ifMatch: '"v2"' };

async function sentHeaders(
  asked: ApiRequest,
  call: RequestOptions,
  extra: Parameters<typeof send>[2] = {},
) {
  const network = fetchResponding(200, {});
  await send(asked, { fetch: network.fetch, ...call }, extra);
  return Object.fromEntries(new Headers(network.calls[0]?.init.headers).entries());
}

test('a request is sent byte for byte, without caches and without cookies', async () => {
  const network = fetchResponding(200, {});
  await send(put, { fetch: network.fetch });
  expect(network.calls).toHaveLength(1);
  expect(network.calls[0]).toMatchObject({
    url: '/api/plants/1',
    init: { method: 'PUT', body: '{"a":1}', cache: 'no-store', credentials: 'omit' },
  });
});

test.each([
  ['', '/api/plants'],
  ['https://api.example.org', 'https://api.example.org/api/plants'],
  ['https://api.example.org/', 'https://api.example.org/api/plants'],
  ['https://example.org/sprig', 'https://example.org/sprig/api/plants'],
])('an app that is built for the API at %j sends its requests there', async (at, url) => {
  vi.stubEnv('VITE_API_URL', at);
  const network = fetchResponding(200, {});
  await send(get, { fetch: network.fetch });
  expect(network.calls[0]?.url).toBe(url);
});

test('only headers that have a value are sent', async () => {
  expect(await sentHeaders(get, {})).toEqual({ accept: 'application/json' });
  expect(await sentHeaders(get, { token: null }, { ifNoneMatch: null })).toEqual({
    accept: 'application/json',
  });
  const extra = { idempotencyKey: 'op-1', ifNoneMatch: '"list"' };
  expect(await sentHeaders(put, { token: 'a.b.c' }, extra)).toEqual({
    'a-im': 'sprig-delta',
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: 'Bearer a.b.c',
    'if-match': '"v2"',
    'if-none-match': '"list"',
    'idempotency-key': '"op-1"',
  });
});

test('a response with an error status is returned with its body and header values', async () => {
  const headers = {
    etag: '"v3"',
    'idempotent-replayed': 'true',
    date: 'Fri, 20 Nov 2026 08:00:00 GMT',
    'retry-after': '7',
  };
  const { fetch } = fetchResponding(503, { message: 'Later' }, headers);
  expect(await send(get, { fetch })).toEqual({
    status: 503,
    ok: false,
    body: { message: 'Later' },
    isJson: true,
    etag: '"v3"',
    replayed: true,
    retryAfterMs: 7_000,
    serverTime: Date.UTC(2026, 10, 20, 8),
  });
});

test.each([captivePortal, '', '{"half":'])(
  'a response with the text %j has no JSON body',
  async (text) => {
    const { fetch } = fetchResponding(200, text);
    expect(await send(get, { fetch })).toEqual({
      status: 200,
      ok: true,
      body: undefined,
      isJson: false,
      etag: null,
      replayed: false,
      retryAfterMs: null,
      serverTime: null,
    });
  },
);

test.each([
  ['5', 5_000],
  ['1.5', 1_500],
  ['0', 1_000],
  ['-3', 1_000],
  ['3600', 3_600_000],
  ['86400', 3_600_000],
  ['', null],
  ['soon', null],
  ['Fri, 20 Nov 2026 08:00:00 GMT', null],
])('Retry-After %j means %j ms: never under a second, never over an hour', async (text, ms) => {
  const { fetch } = fetchResponding(429, {}, { 'retry-after': text });
  expect((await send(get, { fetch })).retryAfterMs).toBe(ms);
});

test('a network failure rejects with NoResponse', async () => {
  await expect(send(get, { fetch: brokenNetwork })).rejects.toThrow(NoResponse);
});

test('a response that breaks off rejects with NoResponse', async () => {
  const fetch: Fetch = async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('reset')) });
    return new Response(body);
  };
  await expect(send(get, { fetch })).rejects.toThrow(NoResponse);
});

test('a request times out after 15 seconds', async () => {
  const rejected = vi.fn();
  const sent = send(get, { fetch: silentNetwork });
  sent.catch(rejected);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(rejected).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(rejected).toHaveBeenCalledWith(expect.any(NoResponse));
});

test('an aborted call rejects with NoResponse, whether aborted before or during the request', async () => {
  const given = AbortSignal.abort();
  await expect(send(get, { fetch: silentNetwork, signal: given })).rejects.toThrow(NoResponse);
  const giving = new AbortController();
  const sent = send(get, { fetch: silentNetwork, signal: giving.signal });
  giving.abort();
  await expect(sent).rejects.toThrow(NoResponse);
});

test('a completed call leaves no timer behind', async () => {
  await send(get, { fetch: fetchResponding(200, {}).fetch });
  await send(get, { fetch: brokenNetwork }).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['a quarter of a minute later', 'Fri, 20 Nov 2026 08:00:15 GMT', 15_000],
  ['in the past', 'Fri, 20 Nov 2026 07:00:00 GMT', 1_000],
  ['tomorrow', 'Sat, 21 Nov 2026 08:00:00 GMT', 3_600_000],
])(
  'a Retry-After date %s is measured from the Date header of the response',
  async (_, date, ms) => {
    const headers = { 'retry-after': date, date: 'Fri, 20 Nov 2026 08:00:00 GMT' };
    const { fetch } = fetchResponding(503, {}, headers);
    expect((await send(get, { fetch })).retryAfterMs).toBe(ms);
  },
);
