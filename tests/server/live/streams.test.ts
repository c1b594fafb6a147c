import { IncomingMessage, ServerResponse } from 'node:http';
import net, { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import { createStreams } from '#server/live/streams.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  addPlant,
  login,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';
import { listen, openedStream, openSecondApp, openStream } from './support/live-stream.ts';

const [secondMs, hourMs] = [1_000, 3_600_000];

let server: TestServer;
let second: Awaited<ReturnType<typeof openSecondApp>>;
let url: string;
beforeAll(async () => {
  const live = { maxStreams: 4, maxPerAccount: 2, tickMs: 20 };
  server = await openTestServer(testClock(), { live });
  url = await listen(server.app);
  second = await openSecondApp(server, { tickMs: 20 });
});
afterAll(async () => {
  await second.close();
  await server.close();
});

test('after every 25 s without an event a comment of three bytes is sent', async () => {
  const stream = await openedStream(url, await server.addAccount());
  const before = stream.text();
  server.clock.advance(25 * secondMs);
  await expect.poll(stream.text).toBe(`${before}:\n\n`);
  server.clock.advance(25 * secondMs);
  await expect.poll(stream.text).toBe(`${before}:\n\n:\n\n`);
  server.clock.advance(25 * secondMs);
  await expect.poll(stream.text).toBe(`${before}:\n\n:\n\n:\n\n`);
});

test('a clock that is set back does not stop the heartbeat', async () => {
  const stream = await openedStream(url, await server.addAccount());
  const before = stream.text();
  server.clock.advance(-hourMs);
  await expect.poll(stream.text).toBe(`${before}:\n\n`);
  server.clock.advance(hourMs);
});

test('an account has a limited number of streams, and closing one allows another', async () => {
  const account = await server.addAccount();
  const { email, password } = account;
  const third = await login(server.app, email, password);
  const first = await openedStream(url, account);
  await openedStream(url, { token: await login(server.app, email, password) });
  const refused = await openStream(url, third);
  await refused.ended;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(JSON.parse(refused.text())).toEqual({
    code: 'too_many_requests',
    message: 'An account can have 2 live streams; close the app on a device that is not used',
  });
  await first.close();
  await expect.poll(async () => (await openStream(url, third)).status).toBe(200);
});

test('pipelined streams no longer count once their connection is closed', async () => {
  const { email, password, token } = await server.addAccount();
  const { app } = server;
  const responses: ServerResponse[] = [];
  const collect = (_: IncomingMessage, response: ServerResponse) => void responses.push(response);
  app.server.on('request', collect);
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const head = `GET /api/live HTTP/1.1\r\nHost: sprig\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(head.repeat(2));
  const opened = () => responses.map(({ headersSent }) => headersSent);
  await expect.poll(opened).toEqual([true, true]);
  app.server.off('request', collect);
  socket.destroy();
  // Of other sessions, because a stream of the same session would replace one that is left over.
  for (const other of [await login(app, email, password), await login(app, email, password)]) {
    await expect.poll(async () => (await openStream(url, other)).status).toBe(200);
  }
});

test('at the limit of an account a new stream of a session replaces the oldest stream of that session', async () => {
  const account = await server.addAccount();
  const first = await openedStream(url, account);
  const second = await openedStream(url, account);
  const third = await openedStream(url, account);
  await first.ended;
  await addPlant(server, account);
  await expect.poll(second.events).toEqual(['open', 'change']);
  await expect.poll(third.events).toEqual(['open', 'change']);
});

test('a process has a limited number of streams', async () => {
  for (let n = 0; n < 4; n += 1) await openedStream(url, await server.addAccount());
  const refused = await openStream(url, (await server.addAccount()).token);
  await refused.ended;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(JSON.parse(refused.text())).toEqual({
    code: 'unavailable',
    message: 'The server has reached its limit of live streams',
  });
});

test('a stream cannot be opened with a device token, by a HEAD request or without a token', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const made = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = requestAs(server, made.json<NewDeviceToken>());
  expect((await device('GET', '/api/live')).statusCode).toBe(403);
  expect((await request('HEAD', '/api/live')).statusCode).toBe(404);
  expect((await requestAs(server, null)('GET', '/api/live')).statusCode).toBe(401);
});

test('open streams use no connection of the pool', async () => {
  const account = await server.addAccount();
  await openedStream(url, account);
  await openedStream(url, account);
  const { pool } = server.db;
  expect(pool.totalCount - pool.idleCount).toBe(0);
});

test('a connection whose client does not read is closed', async () => {
  const sockets: Socket[] = [];
  const collect = (socket: Socket) => void sockets.push(socket);
  second.app.server.on('connection', collect);
  const account = await server.addAccount();
  const stream = await openedStream(second.url, account);
  second.app.server.off('connection', collect);
  // As if the client had stopped reading: what is written stays in the process.
  for (const socket of sockets) socket.cork();
  let isOver = false;
  void stream.ended.then(() => {
    isOver = true;
  });
  let heartbeats = 0;
  while (!isOver) {
    server.clock.advance(25 * secondMs);
    heartbeats += 1;
    await new Promise(setImmediate);
  }
  expect(heartbeats).toBeGreaterThan(10);
  expect(stream.events()).toEqual(['open']);
});

test('a stream ends when its token expires', async () => {
  const account = await server.addAccount();
  const { email, password } = account;
  const short = await openedStream(url, { token: await login(server.app, email, password) });
  const long = await openedStream(url, account);
  server.clock.advance(12 * hourMs);
  await short.ended;
  await addPlant(server, account);
  await expect.poll(long.events).toEqual(['open', 'change']);
});

test('signing out ends the streams of that session only, at every process', async () => {
  const account = await server.addAccount();
  const other = { token: await login(server.app, account.email, account.password) };
  const leaving = [await openedStream(url, account), await openedStream(second.url, account)];
  const staying = await openedStream(second.url, other);
  await requestAs(server, account)('POST', '/auth/logout');
  await Promise.all(leaving.map(({ ended }) => ended));
  await addPlant(server, { ...account, ...other });
  await expect.poll(staying.events).toEqual(['open', 'change']);
});

test.each([
  ['a new password', 'POST', '/auth/password'],
  ['ending all other sessions', 'DELETE', '/auth/sessions'],
] as const)(
  '%s ends the streams of the other sessions, at every process',
  async (_, method, path) => {
    const account = await server.addAccount();
    const other = { token: await login(server.app, account.email, account.password) };
    const leaving = await openedStream(second.url, other);
    const staying = await openedStream(second.url, account);
    const payload = { password: account.password, new_password: 'another-garden' };
    await requestAs(server, account)(method, path, method === 'POST' ? { payload } : {});
    await leaving.ended;
    await addPlant(server, account);
    await expect.poll(staying.events).toEqual(['open', 'change']);
  },
);

test('a password reset ends all streams of the account', async () => {
  const account = await server.addAccount();
  const streams = [await openedStream(url, account), await openedStream(second.url, account)];
  const request = requestAs(server, null);
  await request('POST', '/auth/forgot-password', { payload: { username_or_email: account.email } });
  const [mail] = await server.mailsTo(account.email);
  const token = new URL(mail?.link ?? '', publicUrl).searchParams.get('token');
  const payload = { token, password: 'another-garden' };
  expect((await request('POST', '/auth/reset-password', { payload })).statusCode).toBe(200);
  await Promise.all(streams.map(({ ended }) => ended));
});

test('a session that was deleted without an announcement ends its streams within a minute', async () => {
  const account = await server.addAccount();
  const stream = await openedStream(url, account);
  await server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
  server.clock.advance(60 * secondMs);
  await stream.ended;
});

test('after messages may have been missed, the streams of every account get a change event, of 50 accounts at a time', async () => {
  const streams = createStreams({
    clock: testClock(),
    maxStreams: 120,
    maxPerAccount: 1,
    maxBufferedBytes: 1_000,
    tickMs: 20,
    findEnded: async () => new Set(),
  });
  onTestFinished(streams.close);
  const writes = Array.from({ length: 120 }, (_, n) => {
    const raw = new IncomingMessage(new Socket());
    const response = new ServerResponse(raw);
    const write = vi.spyOn(response, 'write');
    const owner = { userId: `user-${n}`, sessionId: `session-${n}`, expiresAt: Infinity };
    const reply = { request: { raw }, raw: response } as unknown as FastifyReply;
    streams.open(owner, reply, () => undefined);
    return write;
  });
  const changes = () =>
    writes.flatMap(({ mock }) => mock.calls).filter(([text]) => String(text).includes('change'));
  streams.allChanged();
  expect(changes()).toHaveLength(50);
  await expect.poll(() => changes().length).toBe(120);
  expect(new Set(writes.map(({ mock }) => mock.calls.length))).toEqual(new Set([2]));
});
