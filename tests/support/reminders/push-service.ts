import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import ece from 'http_ece';
import type { PushMessage } from '#contract/settings/reminders.ts';
import type { PushBrowser } from './push-browser.ts';

/** One request to the service. */
export interface ReceivedPush {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/**
 * How a path of the service responds: with a status once `after` has resolved, not at all, or with a 201 whose body
 * goes on until the sender closes the connection.
 */
export type PushResponse =
  | 'hang'
  | 'drip'
  | { status: number; headers?: Record<string, string>; after?: Promise<unknown> };

export interface PushService {
  origin: string;
  received: ReceivedPush[];
  /** Sets the response for a path. The default is 201. */
  respond: (path: string, planned: PushResponse) => void;
  /** Calls the listener for each request from now on, until the returned function is called. */
  onPush: (listener: (push: ReceivedPush) => void) => () => void;
  /** Resolves when that many requests have arrived. */
  arrived: (count: number) => Promise<void>;
  /** Resolves when every request that has arrived was answered completely, or the sender has closed its connection. */
  whenUnused: () => Promise<void>;
  close: () => Promise<void>;
}

/** A push service and an ntfy server on this machine, over plain http. */
export async function openPushService(): Promise<PushService> {
  const responses = new Map<string, PushResponse>();
  const received: ReceivedPush[] = [];
  const listeners = new Set<(push: ReceivedPush) => void>();
  const open = new Set<Promise<unknown>>();
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '';
    const end = once(response, 'close').finally(() => open.delete(end));
    open.add(end);
    const body = await buffer(request).catch(() => null);
    // The sender has aborted the request.
    if (body === null) return;
    const push = { path, headers: request.headers, body };
    received.push(push);
    for (const listener of listeners) listener(push);
    const planned = responses.get(path) ?? { status: 201 };
    if (planned === 'hang') return;
    if (planned === 'drip') {
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
      return;
    }
    await planned.after;
    response.writeHead(planned.status, planned.headers).end('the body of a response');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const onPush: PushService['onPush'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    respond: (path, planned) => void responses.set(path, planned),
    onPush,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          stop();
          resolve();
        };
        const stop = onPush(check);
        check();
      }),
    whenUnused: async () => void (await Promise.all(open)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The message as the browser decrypts it. */
export function decrypted({ body }: ReceivedPush, { keys, auth }: PushBrowser): string {
  const options = { version: 'aes128gcm', privateKey: keys, authSecret: auth } as const;
  return ece.decrypt(body, options).toString('utf8');
}

export function messageIn(push: ReceivedPush, browser: PushBrowser): PushMessage {
  return JSON.parse(decrypted(push, browser));
}

/**
 * The claims of the token in the Authorization header. Throws unless the token is signed with the private key of
 * `publicKey`.
 */
export function verifiedClaims({ headers }: ReceivedPush, publicKey: string) {
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('signed with another key');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
}
