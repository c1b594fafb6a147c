import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface PostOptions {
  headers: http.OutgoingHttpHeaders;
  body: Buffer | string;
  /** Aborts the request, also while the response arrives. */
  signal: AbortSignal;
  /** IP addresses to connect to instead of resolving the name again. */
  addresses?: readonly LookupAddress[];
}

export interface PostAnswer {
  status: number;
  retryAfter: string | null;
}

/** Sends a POST request and resolves as soon as the response headers arrive. Follows no redirects; reads no body. */
export async function post(url: string, options: PostOptions): Promise<PostAnswer> {
  const { headers, body, signal, addresses } = options;
  const client = url.startsWith('https:') ? https : http;
  return await new Promise((resolve, reject) => {
    const request = client.request(
      url,
      { method: 'POST', headers, signal, ...(addresses && { lookup: pinnedTo(addresses) }) },
      (response) => {
        response.on('error', () => undefined);
        response.resume();
        const retryAfter = response.headers['retry-after'] ?? null;
        resolve({ status: response.statusCode ?? 0, retryAfter });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('no address'), '');
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
