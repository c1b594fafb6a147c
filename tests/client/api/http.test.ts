import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ApiError, isFromServer, requestList, sendRequest } from '#client/api/http.ts';
import type { Fetch } from '#client/api/send.ts';
import { request } from '#contract/request.ts';
import { brokenNetwork, captivePortal, fetchResponding } from '../../support/device/fetch-stub.ts';

const schema = v.looseObject({ name: v.string() });
const texts = { fallback: 'Failed to fetch it' };
const get = request('GET', '/api/it');

function failureOf(
  fetch: Fetch,
  more: Parameters<typeof sendRequest>[3] = texts,
): Promise<ApiError> {
  return sendRequest(get, { fetch }, schema, more).then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof ApiError ? error : expect.unreachable()),
  );
}

test('a response of the right shape is returned with the fields that a newer server adds', async () => {
  const { fetch } = fetchResponding(200, { name: 'Fern', mood: 'fine' });
  expect(await sendRequest(get, { fetch }, schema, texts)).toEqual({ name: 'Fern', mood: 'fine' });
});

test.each<[string, Fetch]>([
  ['no network', brokenNetwork],
  ['the page of a captive portal', fetchResponding(200, captivePortal).fetch],
  ['a response of another shape', fetchResponding(200, { title: 'Fern' }).fetch],
  ['an empty response', fetchResponding(204, '').fetch],
])('with %s a call fails with the fallback text', async (_, fetch) => {
  const failure = await failureOf(fetch);
  expect(failure).toMatchObject({
    message: texts.fallback,
    status: null,
    describesResponse: false,
  });
});

test.each([400, 403, 404, 422, 429, 500])(
  'an error response with %d shows the message of the body',
  async (status) => {
    const { fetch } = fetchResponding(status, { message: 'Not today' });
    expect(await failureOf(fetch)).toMatchObject({
      message: 'Not today',
      status,
      describesResponse: true,
    });
  },
);

test('a 401 says that authentication is required, even without a JSON body', async () => {
  const { fetch } = fetchResponding(401, '<html>Sign in</html>');
  expect(await failureOf(fetch)).toMatchObject({ message: 'Authentication required', status: 401 });
});

test('a 401 says that authentication is required, even if the body says otherwise', async () => {
  const { fetch } = fetchResponding(401, { message: 'jwt expired' });
  expect(await failureOf(fetch)).toMatchObject({ message: 'Authentication required', status: 401 });
});

test('a call can define its own message for a status, and the name in the message for a response without a JSON body', async () => {
  const own = { ...texts, byStatus: { 403: 'Please verify' }, callName: 'Login' };
  const refused = await failureOf(fetchResponding(403, { message: 'no' }).fetch, own);
  expect(refused.message).toBe('Please verify');
  const unreadable = await failureOf(fetchResponding(418, captivePortal).fetch, own);
  expect(unreadable.message).toBe('Login failed with status 418');
});

test.each([
  [502, { message: 'Bad gateway' }],
  [503, { message: 'Busy' }],
  [504, { message: 'Slow' }],
  [500, captivePortal],
  [403, captivePortal],
])('%d with %j comes from a gateway, not from the server', async (status, body) => {
  expect((await failureOf(fetchResponding(status, body).fetch)).status).toBeNull();
});

test('the error for a response without a JSON body contains the status', async () => {
  const { message } = await failureOf(fetchResponding(500, captivePortal).fetch);
  expect(message).toBe('Request failed with status 500');
});

const schemas = { whole: schema, delta: schema };

test('a request for a list names the known version, and a 304 without a body is returned as unchanged', async () => {
  const network = fetchResponding(304, '', { etag: '"l1"' });
  const { list, response } = await requestList(get, network, schemas, texts, '"l1"');
  expect(list).toEqual({ type: 'unchanged' });
  expect(response.etag).toBe('"l1"');
  const sent = new Headers(network.calls[0]?.init.headers);
  expect([sent.get('if-none-match'), sent.get('a-im')]).toEqual(['"l1"', 'sprig-delta']);
});

test.each([
  [200, { type: 'whole', value: { name: 'Fern' } }],
  [226, { type: 'delta', delta: { name: 'Fern' } }],
])(
  'a changed list with status %d is returned as %j with its new ETag',
  async (status, expected) => {
    const { fetch } = fetchResponding(status, { name: 'Fern' }, { etag: '"l2"' });
    const { list, response } = await requestList(get, { fetch }, schemas, texts, '"l1"');
    expect(list).toEqual(expected);
    expect(response.etag).toBe('"l2"');
  },
);

test('without a known version the whole list is requested', async () => {
  const network = fetchResponding(200, { name: 'Fern' });
  await requestList(get, network, schemas, texts, null);
  const sent = new Headers(network.calls[0]?.init.headers);
  expect([sent.get('if-none-match'), sent.get('a-im')]).toEqual([null, null]);
});

test.each([304, 226])(
  'a request for the whole list fails if a %d response does not contain it',
  async (status) => {
    const { fetch } = fetchResponding(status, { name: 'Fern' });
    const pulled = requestList(get, { fetch }, { ...schemas, whole: v.array(schema) }, texts, null);
    await expect(pulled).rejects.toMatchObject({ message: texts.fallback, status: null });
  },
);

test.each([
  [200, true, true],
  [404, true, true],
  [500, true, true],
  [500, false, false],
  [502, true, false],
  [503, true, false],
  [504, true, false],
])(
  'a response with status %d (JSON body: %s) counts as sent by the server: %s',
  (status, isJson, fromServer) => {
    expect(isFromServer({ status, isJson })).toBe(fromServer);
  },
);
