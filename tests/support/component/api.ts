import { onTestFinished } from 'vitest';

/** The API's response to a call. 'unreachable' is a network failure. */
export type ApiAnswer = { status: number; json?: unknown; body?: string } | 'unreachable';

export interface ApiCall {
  /** Method and path, e.g. 'POST /auth/login'. */
  route: string;
  body: unknown;
}

export interface FakeApi {
  /** Every call so far, oldest first. */
  calls: ApiCall[];
  /** Sets or replaces the answer of one route. A function may return a promise to keep the call waiting. */
  answer: (route: string, answer: ApiAnswer | (() => ApiAnswer | Promise<ApiAnswer>)) => void;
}

/** Replaces the API for the running test. A route without an answer is unreachable. */
export function fakeApi(): FakeApi {
  const realFetch = window.fetch;
  const answers = new Map<string, () => ApiAnswer | Promise<ApiAnswer>>();
  const calls: ApiCall[] = [];
  window.fetch = async (input, init) => {
    const { pathname } = new URL(String(input), window.location.href);
    if (!/^\/(auth|api)\//.test(pathname)) return realFetch(input, init);
    const route = `${init?.method ?? 'GET'} ${pathname}`;
    calls.push({ route, body: init?.body ? JSON.parse(String(init.body)) : null });
    const answer = await (answers.get(route)?.() ?? 'unreachable');
    if (answer === 'unreachable') throw new TypeError('Failed to fetch');
    const { status, json, body = JSON.stringify(json) } = answer;
    return new Response(status === 204 ? null : body, { status });
  };
  onTestFinished(() => {
    window.fetch = realFetch;
  });
  return {
    calls,
    answer: (route, answer) =>
      answers.set(route, typeof answer === 'function' ? answer : () => answer),
  };
}
