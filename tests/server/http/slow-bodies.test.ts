import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { photoTimeoutMs } from '#contract/photos.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

const maxRequests = 3;
/** Without the fields of a sign-in, so the response is a 422. */
const body = '{"fields": "none"}';

let server: TestServer;
let url: string;
beforeEach(async () => {
  server = await openTestServer(undefined, { maxRequests, trustProxy: 1 });
  url = await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => server.close());

interface SlowRequest {
  socket: net.Socket;
  received: () => string;
  /** Sends the rest of the body. */
  finish: () => void;
}

/** Sends a sign-in with only the first byte of its body. */
async function slowRequest(address = '203.0.113.1'): Promise<SlowRequest> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  const head = `POST /auth/login HTTP/1.1\r\nHost: sprig\r\nX-Forwarded-For: ${address}\r\n`;
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + type + body[0]);
  return { socket, received: () => received, finish: () => void socket.write(body.slice(1)) };
}

/** Opens slow requests and waits until the server has read their headers. */
async function slowRequests(count: number): Promise<SlowRequest[]> {
  const requests: SlowRequest[] = [];
  for (let n = 0; n < count; n += 1) requests.push(await slowRequest());
  for (let n = 0; n < 3; n += 1) await fetch(`${url}/healthz`);
  return requests;
}

const signIn = async () => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/auth/login`, { method: 'POST', headers, body })).status;
};
const read = async () => (await fetch(`${url}/api/plants`)).status;

test('the server waits longer for a body than an app does for the upload of a photo', () => {
  expect(server.app.server.requestTimeout).toBeGreaterThan(photoTimeoutMs);
});

test('requests of other addresses are served while one address is at the limit of bodies that are still arriving', async () => {
  const slow = await slowRequests(maxRequests);
  expect(await read()).toBe(401);
  expect(await signIn()).toBe(422);
  for (const { finish, received } of slow) {
    finish();
    await expect.poll(received).toMatch(/^HTTP\/1.1 422 /);
  }
  for (const { socket } of slow) socket.destroy();
});

test('one IP address can send a limited number of bodies at a time, and others can still send theirs while it is at the limit', async () => {
  const slow = await slowRequests(maxRequests);
  const refused = await slowRequest();
  await expect.poll(refused.received).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: [2-5]\r\n/i);
  const other = await slowRequest('203.0.113.2');
  other.finish();
  await expect.poll(other.received).toMatch(/^HTTP\/1.1 422 /);
  for (const { socket } of [...slow, refused, other]) socket.destroy();
});

test('an incomplete body no longer counts once its connection is closed', async () => {
  let closed = 0;
  server.app.server.on('connection', (socket) => {
    socket.once('close', () => {
      closed += 1;
    });
  });
  for (let round = 1; round <= 3; round += 1) {
    const slow = await slowRequests(maxRequests);
    expect(slow.map(({ received }) => received())).toEqual(slow.map(() => ''));
    for (const { socket } of slow) socket.destroy();
    await expect.poll(() => closed).toBeGreaterThanOrEqual(round * maxRequests);
  }
  const last = await slowRequest();
  last.finish();
  await expect.poll(last.received).toMatch(/^HTTP\/1.1 422 /);
  last.socket.destroy();
});
