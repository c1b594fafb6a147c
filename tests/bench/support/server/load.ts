import http from 'node:http';

export const connections = 16;

/** One request of a load. */
export interface Shot {
  method: 'GET' | 'HEAD' | 'POST';
  path: string;
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Sends `count` requests over keep-alive connections, one at a time per connection; throws at an unexpected status.
 * `onResponse` gets the duration (ms) of each request.
 */
export async function load(
  url: string,
  count: number,
  shotOf: (i: number) => Shot,
  onResponse?: (ms: number) => void,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const sent = performance.now();
      await send({ hostname, port, agent }, shotOf(next++));
      onResponse?.(performance.now() - sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    agent.destroy();
  }
}

function send(to: http.RequestOptions, shot: Shot): Promise<void> {
  const { method, path, body } = shot;
  const headers = {
    ...shot.headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ ...to, method, path, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === shot.status) resolve();
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}
