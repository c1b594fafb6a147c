import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { post } from '#server/reminders/channels/post.ts';
import { deferred } from '../../support/deferred.ts';

test('a response that never ends is cut off', async () => {
  const closed = deferred();
  const server = http.createServer((_request, response) => {
    const chunk = Buffer.alloc(1_024);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write).on('close', closed.resolve);
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  const response = await post(`http://127.0.0.1:${port}/`, { headers: {}, body: 'x', signal });
  expect(response).toEqual({ status: 200, retryAfter: null });
  await closed.promise;
  await new Promise((resolve) => server.close(resolve));
});

test('a request is rejected if the server changes the protocol', async () => {
  const server = net.createServer((socket) => {
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n',
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  const sent = post(`http://127.0.0.1:${port}/`, { headers: {}, body: 'x', signal });
  await expect(sent).rejects.toThrow('The connection was upgraded');
  await new Promise((resolve) => server.close(resolve));
});

test('a response is awaited until it ends; if it is aborted before that, its status still counts', async () => {
  const events: string[] = [];
  const limit = new AbortController();
  const closed = deferred();
  const server = http.createServer((_request, response) => {
    const parts = setInterval(() => {
      if (response.write('.') && events.push('part') === 5) limit.abort();
    }, 5);
    response.on('close', () => {
      clearInterval(parts);
      closed.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { signal } = limit;
  const response = await post(`http://127.0.0.1:${port}/`, { headers: {}, body: 'x', signal });
  expect(response).toEqual({ status: 200, retryAfter: null });
  expect(events).toHaveLength(5);
  await closed.promise;
  await new Promise((resolve) => server.close(resolve));
});
