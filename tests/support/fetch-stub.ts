import type { Fetch } from '#client/api/send.ts';

export interface StubbedFetch {
  fetch: Fetch;
  calls: { url: string; init: RequestInit }[];
}

/** A network on which every call is answered alike; for the client's reading of answers alone. */
export function fetchAnswering(
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

/** Hears nothing until the call is given up. */
export const silentNetwork: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error('aborted'));
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp);
  });

export const captivePortal = '<!doctype html><title>Free Wi-Fi</title>';
