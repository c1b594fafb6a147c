import type { Fetch } from '#client/api/send.ts';
import { livePath } from '#contract/live.ts';
import type { App } from '#server/http/app-deps.ts';

/**
 * The real server as a fetch: no port, no imitation. An aborted call rejects, as over a network. It has no live stream,
 * because an injected request is answered only when the response has ended.
 */
export function fetchApp(app: App): Fetch {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    if (url === livePath) return new Response(null, { status: 404 });
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url,
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(isEmpty ? null : answer.body, {
      status: answer.statusCode,
      headers: headers as [string, string][],
    });
  };
}
