import type { Fetch } from '#client/api/send.ts';
import { livePath } from '#contract/live.ts';
import type { App } from '#server/http/app-deps.ts';

/**
 * A fetch that calls the real server by inject(), without a port. A call rejects if its signal is already aborted; a
 * later abort has no effect. There is no live stream, because inject() resolves only when the response has ended.
 */
export function fetchApp(app: App): Fetch {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    if (url === livePath) return new Response(null, { status: 404 });
    const { headers: sent, payload } = await encoded(init);
    const response = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url,
      headers: sent,
      ...(payload !== undefined && { payload }),
    });
    const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    const isEmpty = response.statusCode === 204 || response.statusCode === 304;
    return new Response(isEmpty ? null : new Uint8Array(response.rawPayload), {
      status: response.statusCode,
      headers: headers as [string, string][],
    });
  };
}

/** A form is encoded as a browser would, with a boundary in its content type. */
async function encoded({ headers, body }: RequestInit) {
  const sent = Object.fromEntries(new Headers(headers).entries());
  if (!(body instanceof FormData)) {
    return { headers: sent, payload: typeof body === 'string' ? body : undefined };
  }
  const form = new Response(body);
  const type = { 'content-type': form.headers.get('content-type') ?? '' };
  return { headers: { ...sent, ...type }, payload: Buffer.from(await form.arrayBuffer()) };
}
