import type { Fetch } from '#client/api/send.ts';

export interface StubbedFetch {
  fetch: Fetch;
  calls: { url: string; init: RequestInit }[];
}

/** A fetch that gives every call the same response, for tests of how the client reads responses. */
export function fetchResponding(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): StubbedFetch {
  const calls: StubbedFetch['calls'] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isBodiless = status === 204 || status === 304;
  const fetch: Fetch = async (url, init) => {
    calls.push({ url, init });
    return new Response(isBodiless ? null : text, { status, headers });
  };
  return { fetch, calls };
}

export const brokenNetwork: Fetch = async () => {
  throw new TypeError('Failed to fetch');
};

/** A fetch that never responds; it rejects when the call is aborted. */
export const silentNetwork: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error('aborted'));
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp);
  });

export const captivePortal = '<!doctype html><title>Free Wi-Fi</title>';
