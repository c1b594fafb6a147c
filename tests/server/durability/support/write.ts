import { plantPayload } from '../../../support/factories.ts';

/** A change that a person or a sensor sent, and the response if there was one. */
export interface Write {
  kind: 'create' | 'update' | 'water' | 'log';
  /** Idempotency-Key */
  key: string;
  method: 'POST' | 'PUT';
  path: string;
  body: string;
  ifMatch: string | null;
  /** plant_name of its plant, which is set when the plant is created and never changed. */
  plant: string;
  /** The value by which its effect is recognised: name, description, ml or time. */
  mark: string;
  response: { status: number; body: string } | null;
}

export interface Sent {
  status: number;
  body: string;
  etag: string | null;
  replayed: boolean;
}

/** A request without a response fails after this time. */
const timeoutMs = 20_000;

export async function send(url: string, token: string, write: Write): Promise<Sent> {
  const response = await fetch(`${url}${write.path}`, {
    method: write.method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': write.key,
      ...(write.body !== '' && { 'content-type': 'application/json' }),
      ...(write.ifMatch !== null && { 'if-match': write.ifMatch }),
    },
    ...(write.body !== '' && { body: write.body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return {
    status: response.status,
    body: await response.text(),
    etag: response.headers.get('etag'),
    replayed: response.headers.get('idempotent-replayed') === 'true',
  };
}

/** What a writer knows of a plant that it created. */
export interface KnownPlant {
  name: string;
  id: string;
  etag: string | null;
}

const blank = { ifMatch: null, response: null };

export function create(key: string, name: string): Write {
  const body = JSON.stringify(plantPayload({ plant_name: name }));
  const sent = { method: 'POST', path: '/api/plants', body } as const;
  return { ...blank, ...sent, kind: 'create', key, plant: name, mark: name };
}

export function update(key: string, { name, id, etag }: KnownPlant): Write {
  const body = JSON.stringify(plantPayload({ plant_name: name, description: key }));
  const sent = { method: 'PUT', path: `/api/plants/${id}`, body, ifMatch: etag } as const;
  return { ...blank, ...sent, kind: 'update', key, plant: name, mark: key };
}

export function water(key: string, { name, id }: KnownPlant, ml: number): Write {
  const sent = { method: 'POST', path: `/api/plants/${id}/water?amount=${ml}`, body: '' } as const;
  return { ...blank, ...sent, kind: 'water', key, plant: name, mark: String(ml) };
}

export function log(key: string, { name, id }: KnownPlant, timestamp: string): Write {
  const body = JSON.stringify({ plant_id: id, timestamp, soil_humidity: 50 });
  const sent = { method: 'POST', path: '/api/logs', body } as const;
  return { ...blank, ...sent, kind: 'log', key, plant: name, mark: timestamp };
}
