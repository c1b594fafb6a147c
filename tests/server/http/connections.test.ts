import { once } from 'node:events';
import net from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drainBeforeClose } from '#server/http/graceful-close.ts';
import { limitLoad } from '#server/http/load-limit.ts';
import { deferred } from '../../support/deferred.ts';

const maxRequests = 20;

let app: FastifyInstance;
let port: number;
/** How many requests wait for `response`. */
let waiting: number;
let response: () => void;
/** Of the requests: the IP address, undefined if the connection had been reset. */
let addresses: (string | undefined)[];
let errors: Error[];
beforeEach(async () => {
  waiting = 0;
  addresses = [];
  errors = [];
  const { promise, resolve } = deferred();
  response = resolve;
  app = fastify({ forceCloseConnections: true, return503OnClosing: false });
  drainBeforeClose(app);
  app.addHook('onRequest', async ({ ip }) => void addresses.push(ip));
  app.addHook('onError', async (_request, _reply, error) => void errors.push(error));
  limitLoad(app, maxRequests);
  app.get('/slow', async () => {
    waiting += 1;
    await promise;
    return 'slow';
  });
  app.get('/quick', async () => 'quick');
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  vi.useRealTimers();
  response();
  await app.close();
});

const quick = async () => (await fetch(`http://127.0.0.1:${port}/quick`)).status;

/** Sends pipelined requests over one connection and waits until all are in progress. */
async function pipeline(count: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const before = waiting;
  socket.write('GET /slow HTTP/1.1\r\nHost: sprig\r\n\r\n'.repeat(count));
  await expect.poll(() => waiting).toBe(before + count);
  return socket;
}

/** Closes a connection and waits until the server has noticed. */
async function disconnect(socket: net.Socket): Promise<void> {
  socket.destroy();
  const connections = () =>
    new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
}

test('pipelined requests whose connection is closed no longer count as in progress', async () => {
  await disconnect(await pipeline(maxRequests));
  const socket = await pipeline(maxRequests);
  await disconnect(socket);
  expect(await quick()).toBe(200);
});

test('pipelined requests count as in progress until their responses are sent', async () => {
  const socket = await pipeline(maxRequests);
  expect(await quick()).not.toBe(200);
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  response();
  await expect.poll(() => received.split('HTTP/1.1 200 OK').length - 1).toBe(maxRequests);
  expect(await quick()).toBe(200);
  socket.destroy();
});

test('closing the server does not wait for pipelined requests whose connection is closed', async () => {
  await disconnect(await pipeline(5));
  // The time limit of closing never passes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await app.close();
});

test('a request whose client has reset the connection causes no error', async () => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // Both in one go, so that the server reads the request after the reset.
  socket.write('GET /quick HTTP/1.1\r\nHost: sprig\r\n\r\n');
  socket.resetAndDestroy();
  await expect.poll(() => addresses).toEqual([undefined]);
  expect(errors).toEqual([]);
});

test('many pipelined requests cause no warning of too many listeners', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const socket = await pipeline(maxRequests);
  await disconnect(socket);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
