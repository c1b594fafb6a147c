import type { Fetch } from '#client/api/send.ts';
import { deferred } from '../deferred.ts';

export interface SentRequest {
  method: string;
  url: string;
  body: string | null;
  key: string | null;
  ifMatch: string | null;
  status: number | null;
}

type Fault = (request: () => Promise<Response>, signal?: AbortSignal | null) => Promise<Response>;

/** A network between a device and the real server: it records requests and fails on demand. */
export interface Network {
  fetch: Fetch;
  sent: SentRequest[];
  /** Applies `fault` to the next request whose method and URL match. */
  failNext: (match: RegExp, fault: Fault) => void;
  isDown: boolean;
  /** The highest number of requests in flight at the same time. */
  mostAtOnce: number;
}

export function createNetwork(server: Fetch): Network {
  const faults: { match: RegExp; fault: Fault }[] = [];
  let underway = 0;
  const network: Network = {
    isDown: false,
    mostAtOnce: 0,
    sent: [],
    failNext: (match, fault) => void faults.push({ match, fault }),
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      const record: SentRequest = {
        method: init.method ?? 'GET',
        url,
        body: typeof init.body === 'string' ? init.body : null,
        key: headers.get('idempotency-key'),
        ifMatch: headers.get('if-match'),
        status: null,
      };
      network.sent.push(record);
      if (network.isDown) throw new TypeError('network down');
      const at = faults.findIndex(({ match }) => match.test(`${record.method} ${url}`));
      const [found] = at < 0 ? [] : faults.splice(at, 1);
      const pass = () => server(url, init);
      underway += 1;
      network.mostAtOnce = Math.max(network.mostAtOnce, underway);
      try {
        const response = await (found ? found.fault(pass, init.signal) : pass());
        record.status = response.status;
        return response;
      } finally {
        underway -= 1;
      }
    },
  };
  return network;
}

/** The request never arrives. */
export const lostRequest: Fault = async () => {
  throw new TypeError('request lost');
};

/** The request takes effect, but its response is lost. */
export const lostResponse: Fault = async (request) => {
  await request();
  throw new TypeError('response lost');
};

export function fixedResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Fault {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return async () => new Response(text, { status, headers });
}

/** Delays the response until released; the request has taken effect by then. */
export function delayedResponse(): { fault: Fault; arrived: Promise<void>; release: () => void } {
  const arrived = deferred();
  const released = deferred();
  const fault: Fault = async (request) => {
    const response = await request();
    arrived.resolve();
    await released.promise;
    return response;
  };
  return { fault, arrived: arrived.promise, release: released.resolve };
}
