import { onTestFinished } from 'vitest';

/** The API's response to a call. 'unreachable' is a network failure. */
export type FakeResponse =
  | { status: number; json?: unknown; body?: string; headers?: Record<string, string> }
  | 'unreachable';

export interface ApiCall {
  /** Method and path, e.g. 'POST /auth/login'. */
  route: string;
  body: unknown;
}

export interface FakeApi {
  /** Every call so far, oldest first. */
  calls: ApiCall[];
  /** Sets or replaces the response of one route. A function may return a promise to keep the call waiting. */
  respond: (
    route: string,
    response: FakeResponse | (() => FakeResponse | Promise<FakeResponse>),
  ) => void;
}

/** Replaces the API for the running test. A route without a response is unreachable. */
export function fakeApi(): FakeApi {
  const realFetch = window.fetch;
  const responses = new Map<string, () => FakeResponse | Promise<FakeResponse>>();
  const calls: ApiCall[] = [];
  window.fetch = async (input, init) => {
    const { pathname } = new URL(String(input), window.location.href);
    if (!/^\/(auth|api)\//.test(pathname)) return realFetch(input, init);
    const route = `${init?.method ?? 'GET'} ${pathname}`;
    calls.push({ route, body: init?.body ? JSON.parse(String(init.body)) : null });
    const response = await (responses.get(route)?.() ?? 'unreachable');
    if (response === 'unreachable') throw new TypeError('Failed to fetch');
    const { status, json, body = JSON.stringify(json), headers = {} } = response;
    return new Response(status === 204 ? null : body, { status, headers });
  };
  onTestFinished(() => {
    window.fetch = realFetch;
  });
  return {
    calls,
    respond: (route, response) =>
      responses.set(route, typeof response === 'function' ? response : () => response),
  };
}
