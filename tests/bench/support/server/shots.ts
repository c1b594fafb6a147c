import type { Shot } from './load.ts';

/** The requests that benches send, each with the status that its response must have. */

type Headers = Record<string, string>;

/** A reading by day. */
export const dayReading = {
  soil_humidity: 45,
  air_humidity: 50,
  temperature: 21,
  luminance: 5_000,
};

export function postLog(headers: Headers, log: object): Shot {
  return { method: 'POST', path: '/api/logs', headers, body: JSON.stringify(log), status: 201 };
}

export function getList(headers: Headers): Shot {
  return { method: 'GET', path: '/api/plants/with-latest-readings', headers, status: 200 };
}

/** The server builds the whole list but does not send it. */
export function headList(headers: Headers): Shot {
  return { ...getList(headers), method: 'HEAD' };
}

/** A pull by a device that has the list with this ETag. */
export function getDelta(headers: Headers, etag: string, status: 226 | 304): Shot {
  const conditions = { 'if-none-match': etag, 'a-im': 'sprig-delta' };
  return { ...getList({ ...headers, ...conditions }), status };
}

export function getLogs(headers: Headers, plantIds: string[], i: number): Shot {
  const path = `/api/logs/plant/${plantIds[i % plantIds.length]}?limit=24`;
  return { method: 'GET', path, headers, status: 200 };
}

export function getLatest(headers: Headers, plantIds: string[], i: number): Shot {
  const path = `/api/plants/${plantIds[i % plantIds.length]}/latest-readings`;
  return { method: 'GET', path, headers, status: 200 };
}

export function water(headers: Headers, plantIds: string[], i: number): Shot {
  const path = `/api/plants/${plantIds[i % plantIds.length]}/water`;
  return { method: 'POST', path, headers, status: 200 };
}

export function logIn({ email, password }: { email: string; password: string }): Shot {
  const body = JSON.stringify({ username_or_email: email, password });
  return { method: 'POST', path: '/auth/login', body, status: 200 };
}
