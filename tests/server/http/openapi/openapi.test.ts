import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import type { NewCalendar } from '#contract/settings/calendar.ts';
import type { AccountSession } from '#contract/settings/profile.ts';
import { formOf, tinyJpeg } from '../../../support/photos/jpeg.ts';
import { testClock } from '../../../support/server/clock.ts';
import {
  callsOf,
  type DocumentedCall,
  type DocumentedResponse,
  type OpenapiDocument,
  openChecker,
  referencesIn,
  resolve,
} from '../../../support/server/openapi.ts';
import type { person } from '../../../support/server/registration.ts';
import { type RequestFunction, requestAs } from '../../../support/server/request.ts';
import { routesOf } from '../../../support/server/routes.ts';
import {
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../../support/server/server.ts';

let server: TestServer;
let document: OpenapiDocument;
let checker: ReturnType<typeof openChecker>;
let nobody: RequestFunction;
beforeAll(async () => {
  server = await openTestServer();
  document = (await requestAs(server, null)('GET', '/api/openapi.json')).json();
  checker = openChecker(document);
  nobody = checker.checked(requestAs(server, null));
});
afterAll(() => server.close());

/** A documented body that is accepted. */
function exampleOf(operationId: string): object {
  const found = callsOf(document).find(({ call }) => call.operationId === operationId);
  const example = found?.call.requestBody?.content['application/json']?.example;
  if (!example) throw new Error(`${operationId} has no example`);
  return example;
}

/** The path of the link in the newest email. */
async function mailedPath(email: string): Promise<string> {
  const mails = await server.mailsTo(email);
  return (mails.at(-1)?.link ?? '').replace(publicUrl, '');
}

test('documents every route and nothing else', () => {
  const live = routesOf(server.app).filter(({ method }) => method !== 'HEAD');
  const listed = callsOf(document).map(({ method, path }) => `${method} ${path}`);
  expect(listed.sort()).toEqual(
    live.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
  );
});

test('declares OpenAPI 3.1, and has unique operation ids, all path parameters and no dangling references', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info).toMatchObject({ title: 'Sprig', version: expect.any(String) });
  const calls = callsOf(document);
  const ids = calls.map(({ call }) => call.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const references = referencesIn(document);
  expect(references.length).toBeGreaterThan(100);
  for (const reference of references) resolve(document, reference);
  for (const { path, call } of calls) {
    const given = (call.parameters ?? []).map((part) =>
      resolve<{ name: string; in: string }>(document, part),
    );
    const inPath = given.filter((part) => part.in === 'path').map(({ name }) => `{${name}}`);
    expect(inPath, path).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const name of call.security.flatMap((way) => Object.keys(way))) {
      expect(document.components.securitySchemes).toHaveProperty(name);
    }
    for (const response of Object.values(call.responses)) {
      expect(resolve<DocumentedResponse>(document, response).description).not.toBe('');
    }
  }
});

test('is public and responds with 304 to its own ETag', async () => {
  const { headers } = await nobody('GET', '/api/openapi.json');
  const again = await nobody('GET', '/api/openapi.json', { ifNoneMatch: String(headers.etag) });
  expect(again.statusCode).toBe(304);
});

test('when an account uses every call, all responses match the document and every documented success occurs', async () => {
  await nobody('GET', '/healthz');
  const account = { ...(exampleOf('register') as typeof person) };
  await nobody('POST', '/auth/register', { payload: account });
  await nobody('POST', '/auth/login', { payload: exampleOf('login') });
  await nobody('GET', await mailedPath(account.email));
  const signedIn = await nobody('POST', '/auth/login', { payload: exampleOf('login') });
  expect(signedIn.statusCode).toBe(200);
  const token = signedIn.json().access_token;
  const request = checker.checked(requestAs(server, { token }));
  await request('GET', '/auth/me');
  await request('PATCH', '/auth/me', { payload: exampleOf('changeProfile') });
  const email = { email: 'rosa@new.example.org', password: account.password };
  await request('POST', '/auth/email', { payload: email });
  await nobody('GET', await mailedPath(email.email));
  account.email = email.email;
  await nobody('POST', '/auth/login', {
    payload: { username_or_email: account.email, password: account.password },
  });
  const sessions = await request('GET', '/auth/sessions');
  const elsewhere = sessions.json<AccountSession[]>().find((each) => !each.is_current);
  await request('DELETE', `/auth/sessions/${elsewhere?.id}`);
  await request('DELETE', `/auth/sessions/${elsewhere?.id}`);
  await request('DELETE', '/auth/sessions');
  await request('GET', '/api/calendar');
  await request('PATCH', '/api/calendar', { payload: exampleOf('changeCalendar') });
  const { url } = (await request('POST', '/api/calendar')).json<NewCalendar>();
  await request('PATCH', '/api/calendar', { payload: exampleOf('changeCalendar') });
  const feed = url.replace(publicUrl, '');
  const { headers: ofFeed } = await nobody('GET', feed);
  await nobody('GET', feed, { ifNoneMatch: String(ofFeed.etag) });
  await request('DELETE', '/api/calendar');
  await nobody('GET', feed);
  const passwords = { password: account.password, new_password: 'another-garden' };
  await request('POST', '/auth/password', { payload: passwords });

  const payload = exampleOf('createPlant');
  const created = await request('POST', '/api/plants', { payload, key: 'a' });
  const replayed = await request('POST', '/api/plants', { payload, key: 'a' });
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  const one = `/api/plants/${created.json().id}`;
  await request('GET', `${one}/latest-readings`);
  const { headers: ofPlant } = await request('GET', one);
  await request('GET', one, { ifNoneMatch: String(ofPlant.etag) });
  await request('PUT', one, {
    payload: { ...exampleOf('updatePlant'), device_id: 'pot-1' },
    ifMatch: String(created.headers.etag),
  });
  await request('PUT', one, { payload, ifMatch: '"v0"' });
  await request('POST', `${one}/water?amount=250.5&watered_at=2026-11-19T08:00:00Z`, { key: 'b' });
  await request('POST', `${one}/water`, { ifMatch: '"v0"' });
  await request('POST', one.replace(/[^/]+$/, 'none/water'));

  const entry = exampleOf('addEntry') as { id: string };
  for (let n = 0; n < 2; n += 1) await request('POST', `${one}/journal`, { payload: entry });
  const edited = await request('PUT', `${one}/journal/${entry.id}`, {
    payload: exampleOf('editEntry'),
  });
  expect(edited.json().journal_entry).toMatchObject({ id: entry.id, amount_ml: 300 });
  for (const journal of [`${one}/journal?limit=1`, `/api/journal?plants=${created.json().id}`]) {
    const { headers } = await request('GET', journal);
    await request('GET', journal, { ifNoneMatch: String(headers.etag) });
  }
  const form = await formOf({ full: tinyJpeg(), small: tinyJpeg() });
  const photo = `/api/photos/${crypto.randomUUID()}`;
  const upload = `${photo}?plant_id=${created.json().id}&taken_at=2026-11-19T08:00:00Z`;
  await request('PUT', upload, form);
  for (const url of [photo, `${photo}?size=small`, `${one}/photos`]) {
    const { headers } = await request('GET', url);
    await request('GET', url, { ifNoneMatch: String(headers.etag) });
  }
  await request('DELETE', photo);
  await request('PUT', upload, form);
  await request('GET', photo);
  await request('DELETE', `${one}/journal/${entry.id}`, { ifMatch: '"v0"' });
  await request('DELETE', `${one}/journal/${entry.id}`);
  await request('DELETE', `${one}/journal/${entry.id}`);

  const made = await request('POST', '/api/device-tokens', {
    payload: exampleOf('createDeviceToken'),
  });
  const device = checker.checked(requestAs(server, made.json<NewDeviceToken>()));
  const report = await device('POST', '/api/logs', { payload: exampleOf('createLog') });
  expect(report.statusCode).toBe(201);
  const reports = await device('POST', '/api/logs', { payload: [exampleOf('createLog'), {}] });
  expect(reports.json().results).toMatchObject([{ status: 201 }, { status: 422 }]);
  await request('POST', '/api/logs', { payload: { device_id: 'unknown', luminance: 3 } });
  await request('GET', `${one}/latest-readings`);
  const logs = `/api/logs/plant/${created.json().id}`;
  await request('GET', `${logs}/summary`);
  const series = `${logs}/series?from=2026-11-01T00:00:00Z&to=2026-11-20T00:00:00Z&points=50`;
  const lists = ['/api/plants', '/api/plants/with-latest-readings', `${logs}?limit=5`, series];
  for (const list of lists) {
    const { headers } = await request('GET', list);
    await request('GET', list, { ifNoneMatch: String(headers.etag) });
  }
  const readings = '/api/plants/with-latest-readings';
  const base = String((await request('GET', readings)).headers.etag);
  await request('POST', `${one}/water`);
  for (const list of ['/api/plants', readings]) {
    await request('GET', list, { ifNoneMatch: base, headers: { 'a-im': 'sprig-delta' } });
  }
  await request('GET', '/api/device-tokens');
  await request('DELETE', `/api/device-tokens/${made.json().id}`);
  await request('GET', '/api/reminders');
  await request('PATCH', '/api/reminders', { payload: exampleOf('changeReminders') });
  await request('PUT', '/api/push-subscription', { payload: exampleOf('putPushSubscription') });
  await request('DELETE', '/api/push-subscription');
  await request('POST', '/api/reminders/test', { payload: exampleOf('testReminder') });
  await request('POST', '/api/reminders/test', { payload: { channel: 'push' } });
  const mails = await server.mailsTo(account.email);
  const reminder = mails.find(({ unsubscribeUrl }) => unsubscribeUrl);
  const unsubscribe = (reminder?.unsubscribeUrl ?? '').replace(publicUrl, '');
  await nobody('GET', unsubscribe);
  expect((await nobody('POST', unsubscribe)).statusCode).toBe(200);
  await nobody('POST', '/api/reminders/unsubscribe?token=x');
  await request('POST', '/api/batch', { payload: exampleOf('runBatch') });
  await request('DELETE', one, { ifMatch: '"v0"' });
  await request('DELETE', one);
  await request('GET', one);
  const untilSignedOut: RequestFunction = async (method, url) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await server.app.inject({ method, url, headers, payloadAsStream: true });
    await request('POST', '/auth/logout');
    await once(response.stream().resume(), 'end');
    return response;
  };
  await checker.checked(untilSignedOut)('GET', '/api/live');

  const forgotten = { username_or_email: account.email };
  await nobody('POST', '/auth/forgot-password', { payload: forgotten });
  const link = new URL(await mailedPath(account.email), publicUrl);
  const reset = { ...exampleOf('resetPassword'), token: link.searchParams.get('token') };
  await nobody('POST', '/auth/reset-password', { payload: reset });
  await nobody('POST', '/auth/reset-password', { payload: reset });

  const successes = callsOf(document).flatMap(({ call }) =>
    Object.keys(call.responses)
      .filter((status) => Number(status) < 400)
      .map((status) => `${call.operationId} ${status}`),
  );
  expect(successes.filter((success) => !checker.seen.has(success))).toEqual([]);
});

test('required query parameters are described as required, and a list of ids has no limit of characters', () => {
  const queryOf = (operationId: string) => {
    const found = callsOf(document).find(({ call }) => call.operationId === operationId);
    const parameters = (found?.call.parameters ?? []) as {
      name?: string;
      in?: string;
      required?: boolean;
      schema?: object;
    }[];
    return parameters.filter((parameter) => parameter.in === 'query');
  };
  expect(queryOf('readJournals')).toMatchObject([{ name: 'plants', required: true }]);
  expect(queryOf('readJournals')[0]?.schema).toEqual({ type: 'string' });
  const required = queryOf('putPhoto').filter((parameter) => parameter.required);
  expect(required.map(({ name }) => name)).toEqual(['plant_id', 'taken_at']);
});

test('missing tokens, device tokens and malformed bodies get the documented response', async () => {
  const account = await server.addAccount();
  const plant = await addPlant(server, account);
  const made = await requestAs(server, account)('POST', '/api/device-tokens', {
    payload: { device_id: 'pot-7' },
  });
  const device = checker.checked(requestAs(server, made.json<NewDeviceToken>()));
  const request = checker.checked(requestAs(server, account));
  for (const { method, path, call } of callsOf(document)) {
    const url = path.replace('{id}', plant.id);
    if (call.operationId === 'logout') continue;
    if (call.security.length > 0) {
      const response = await nobody(method, url);
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect((await device(method, url)).statusCode).toBe(path === '/api/logs' ? 422 : 403);
    }
    if (method === 'GET') continue;
    const isForm = call.requestBody?.content['multipart/form-data'] !== undefined;
    expect((await request(method, url, { payload: '{' })).statusCode).toBe(isForm ? 415 : 400);
    const large = { payload: `"${'x'.repeat(isForm ? 3_000_000 : 140_000)}"` };
    const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    const response = await request(method, url, isForm ? { ...large, ...form } : large);
    expect(response.statusCode).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await request(method, url, { payload: 'x', headers })).statusCode).toBe(415);
    const takesKey = JSON.stringify(call.parameters ?? []).includes('Idempotency-Key');
    if (!takesKey) continue;
    const payload = call.requestBody?.content['application/json']?.example;
    const tooLong = { ...(payload && { payload }), key: 'x'.repeat(201) };
    expect((await request(method, url, tooLong)).statusCode).toBe(422);
  }
});

test('too many attempts get the documented response', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 1 });
  const gardener = await strict.addAccount();
  const request = checker.checked(requestAs(strict, gardener));
  const limited = ['login', 'register', 'forgotPassword', 'resetPassword', 'changeEmail'];
  for (const { method, path, call } of callsOf(document)) {
    if (!limited.includes(call.operationId)) continue;
    const payload = { ...exampleOf(call.operationId), password: `for ${call.operationId}` };
    await request(method, path, { payload });
    expect((await request(method, path, { payload })).statusCode).toBe(429);
  }
  await strict.close();
});

test('every documented example of invalid input gets the documented response', async () => {
  const account = await server.addAccount();
  const plant = await addPlant(server, account);
  const request = checker.checked(requestAs(server, account));
  let asked = 0;
  for (const { method, path, call } of callsOf(document)) {
    const refusal = call.responses[422];
    if (!refusal) continue;
    const { content } = resolve<DocumentedResponse>(document, refusal);
    for (const example of Object.values(content?.['application/json']?.examples ?? {})) {
      const { body, query = '' } = example['x-request'];
      const url = path.replace('{id}', plant.id) + query;
      const response = await request(method, url, body ? { payload: body } : {});
      expect([call.operationId, response.statusCode]).toEqual([call.operationId, 422]);
      expect(response.json()).toEqual(example.value);
      asked++;
    }
  }
  expect(asked).toBeGreaterThanOrEqual(10);
});

/** Fields with rules that the document can only describe in words. */
const inWords = [
  'register.email',
  'createLog.device_id',
  'changeProfile.time_zone',
  'changeEmail.email',
  'changeEmail.password',
  'changePassword.password',
];

test('the documented schema and the server accept the same values of every body field whose rules the schema can express', async () => {
  const request = requestAs(server, await server.addAccount());
  const values = [undefined, null, '', 'x', 'x'.repeat(20_001), -1000, 0, 7, 2_000_000, true, []];
  let tried = 0;
  // Only the last of several calls with the same body schema is tried: for plants it is the edit, which is faster
  // because the plant is unknown.
  const byBody = new Map(callsOf(document).map((each) => [bodyOf(each.call)?.schema.$ref, each]));
  for (const { method, path, call } of byBody.values()) {
    const { schema, example } = bodyOf(call) ?? {};
    if (!schema || !example) continue;
    const { properties = {} } = resolve<{ properties?: object }>(document, schema);
    for (const name of Object.keys(properties)) {
      if (inWords.includes(`${call.operationId}.${name}`)) continue;
      for (const value of values) {
        const payload = { ...withoutPairs(example), [name]: value };
        const problems = checker.problemsOf(schema, JSON.parse(JSON.stringify(payload)));
        const response = await request(method, path.replace('{id}', 'none'), { payload });
        const at = `${call.operationId} ${name} ${JSON.stringify(value)?.slice(0, 20)}`;
        const verdict = problems.length > 0 ? 'refused' : 'accepted';
        expect(`${at} ${response.statusCode === 422 ? 'refused' : 'accepted'}`).toBe(
          `${at} ${verdict}`,
        );
        tried++;
      }
    }
  }
  expect(tried).toBeGreaterThan(400);
});

/** The body of a call; if it may also be an array, with the schema of a single object. */
function bodyOf(call: DocumentedCall) {
  const body = call.requestBody?.content['application/json'];
  return body && { ...body, schema: body.schema.anyOf?.[0] ?? body.schema };
}

/**
 * Leaves out all minimums and maximums, so that each is tried alone: the schema cannot express that a minimum must be
 * less than its maximum.
 */
function withoutPairs(example: object): object {
  return Object.fromEntries(Object.entries(example).filter(([name]) => !/_(min|max)$/.test(name)));
}

test('serves a reference page in development only', async () => {
  expect((await server.app.inject({ url: '/api/docs' })).statusCode).toBe(404);
  const developing = await openTestServer(testClock(), { apiPage: true });
  const { headers, body } = await developing.app.inject({ url: '/api/docs' });
  await developing.close();
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  for (const { path } of callsOf(document)) expect(body).toContain(`<code>${path}</code>`);
  for (const name of Object.keys(document.components.schemas)) {
    expect(body).toContain(`<details id="${name}">`);
  }
  expect(body).not.toMatch(/<script|undefined|\[object/);
});
