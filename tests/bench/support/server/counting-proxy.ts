import http from 'node:http';
import { type Listening, listening } from '../listening.ts';

/** One call of the API through the proxy. */
export interface CountedCall {
  method: string;
  path: string;
  status: number;
  /** Size of the response body as transferred. */
  bytes: number;
}

/**
 * A slow line: the delay in one direction, and the share of requests and of responses that are delayed as if lost once.
 */
export interface Line {
  delayMs: number;
  loss: number;
}

export interface CountingProxy extends Listening {
  calls: CountedCall[];
  line: Line;
}

/** A proxy in front of the server that records the API's calls and can simulate a slow line. */
export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const calls: CountedCall[] = [];
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '';
    await oneWay(proxy.line);
    const { method = 'GET', headers } = request;
    const upstream = http.request({ hostname, port, path, method, headers }, async (incoming) => {
      const status = incoming.statusCode ?? 0;
      const call: CountedCall = { method, path, status, bytes: 0 };
      if (path.startsWith('/api/')) calls.push(call);
      await oneWay(proxy.line);
      response.writeHead(status, incoming.headers);
      incoming.on('data', (chunk: Buffer) => {
        call.bytes += chunk.length;
      });
      incoming.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  const proxy = Object.assign(await listening(server), {
    calls,
    line: { delayMs: 0, loss: 0 },
  });
  return proxy;
}

/** A lost packet adds the time that TCP needs to send it again: about one round trip. */
async function oneWay({ delayMs, loss }: Line): Promise<void> {
  const ms = delayMs * (Math.random() < loss ? 3 : 1);
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
