import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

const maxRequests = 3;
/** More than the buffers of a connection can hold. */
const fileBytes = 64 * 1024 * 1024;

let server: TestServer;
let url: string;
let clientDir: string;
let sockets: net.Socket[];
beforeEach(async () => {
  clientDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-client-'));
  fs.writeFileSync(path.join(clientDir, 'large.bin'), '');
  fs.truncateSync(path.join(clientDir, 'large.bin'), fileBytes);
  server = await openTestServer(undefined, { maxRequests, trustProxy: 1, clientDir });
  url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
  fs.rmSync(clientDir, { recursive: true });
});

/** Requests the large file and reads only the first 12 bytes of the response, up to the status code. */
async function unreadResponse(address = '203.0.113.1'): Promise<string> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write(`GET /large.bin HTTP/1.1\r\nHost: sprig\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  await once(socket, 'readable');
  return String(socket.read(12));
}

const read = async (address: string) =>
  (await fetch(`${url}/api/plants`, { headers: { 'x-forwarded-for': address } })).status;

test('requests of other clients are served while MAX_REQUESTS clients leave one response each unread', async () => {
  for (let n = 0; n < maxRequests; n += 1) {
    expect(await unreadResponse(`203.0.113.${n}`)).toBe('HTTP/1.1 200');
  }
  await expect.poll(() => read('198.51.100.1')).toBe(401);
  await expect.poll(() => read('198.51.100.1')).toBe(401);
});

test('an address at the limit of unread responses gets a 503 until it closes them, and other addresses are served', async () => {
  for (let n = 0; n < maxRequests; n += 1) expect(await unreadResponse()).toBe('HTTP/1.1 200');
  await expect.poll(() => unreadResponse('203.0.113.2')).toBe('HTTP/1.1 200');
  await expect.poll(() => read('203.0.113.3')).toBe(401);
  await expect.poll(() => read('203.0.113.1')).toBe(503);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => read('203.0.113.1')).toBe(401);
});
