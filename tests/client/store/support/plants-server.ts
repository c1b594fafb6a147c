import type { Fetch } from '#client/api/send.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload, withoutLaterFields } from '../../../support/factories.ts';

export interface SentChange {
  method: string;
  path: string;
  body: string | null;
  key: string | null;
  ifMatch: string | null;
}

export type Failure = 'lost' | 'never' | 404 | 422 | null;

/**
 * A fake server for creates, updates, waterings and deletes of plants, as 0.1 and the current version send them. It
 * rejects batches.
 */
export interface PlantsServer {
  fetch: Fetch;
  /** Every requested change, in order. */
  sent: SentChange[];
  /**
   * How changes fail from now on: a network error, a response that never comes, or an error status; null: they do not
   * fail.
   */
  fail: (how: Failure) => void;
  /** Renames a plant as another device would. */
  rename: (id: string, nickname: string) => void;
}

/** `known`: its initial plants; by default seven, s1 to s7. */
export function createPlantsServer(known: readonly PlantRecord[] = firstPlants): PlantsServer {
  const plants = new Map(known.map((plant) => [String(plant.id), plant]));
  let failure: Failure = null;
  const sent: SentChange[] = [];

  function change(method: string, id: string, path: string, body: string | null): Response {
    if (method === 'POST' && path.split('?')[0] === '/api/plants') {
      const { nickname, ...fields } = JSON.parse(body ?? '{}');
      const made: PlantRecord = {
        ...serverPlant(`made-${nickname.replaceAll(' ', '-')}`),
        nickname,
        ...fields,
      };
      plants.set(String(made.id), made);
      return response(made);
    }
    const plant = plants.get(id);
    if (!plant) return response({ code: 'not_found', message: 'Plant not found' }, 404);
    if (method === 'DELETE') return response({ message: 'Plant deleted' });
    const wateredAt = new URL(path, 'http://localhost').searchParams.get('watered_at');
    const changes = method === 'PUT' ? JSON.parse(body ?? '{}') : { last_watered: wateredAt };
    const next = { ...plant, ...changes };
    plants.set(id, next);
    return response(next);
  }

  return {
    sent,
    fail: (how) => {
      failure = how;
    },
    rename: (id, nickname) => {
      const plant = plants.get(id);
      if (plant) plants.set(id, { ...plant, nickname });
    },
    fetch: async (url, init) => {
      const method = init.method ?? 'GET';
      const { pathname } = new URL(url, 'http://localhost');
      const id = pathname.split('/')[3] ?? '';
      if (pathname === '/api/batch')
        return response({ code: 'not_found', message: 'No batch' }, 404);
      if (pathname === '/api/plants/with-latest-readings' && method === 'GET') {
        return response([...plants.values()].map((plant) => ({ ...plant, ...newest })));
      }
      if (pathname.startsWith('/api/logs/')) return response([reading]);
      if (method === 'GET' && id) return response(plants.get(id));
      if (method === 'GET') return response([...plants.values()]);
      const headers = new Headers(init.headers);
      const body = typeof init.body === 'string' ? init.body : null;
      sent.push({
        method,
        path: url,
        body,
        key: headers.get('idempotency-key'),
        ifMatch: headers.get('if-match'),
      });
      if (failure === 'lost') throw new TypeError('response lost');
      if (failure === 'never') return new Promise(() => undefined);
      if (failure) return response({ code: 'refused', message: 'Refused' }, failure);
      return change(method, id, url, body);
    },
  };
}

/** As a server of version 0.1 sends it. */
function serverPlant(id: string): PlantRecord {
  return {
    id,
    ...withoutLaterFields(plantPayload({ nickname: `Plant ${id}` })),
    date_added: '2026-10-01T08:00:00.000Z',
    age: null,
    last_watered: '2026-11-01T08:00:00.000Z',
    next_watering_date: '2026-11-04T08:00:00.000Z',
    last_fertilized: null,
    reminder_enabled: false,
    health_status: 'Good',
  };
}

const firstPlants = ['s1', 's2', 's3', 's4', 's5', 's6', 's7'].map(serverPlant);

const reading = {
  timestamp: '2026-11-20T07:00:00Z',
  soil_humidity: 40,
  air_humidity: null,
  temperature: 20,
  luminance: null,
};

const newest = {
  latest_soil_humidity: reading.soil_humidity,
  latest_air_humidity: reading.air_humidity,
  latest_temperature: reading.temperature,
  latest_luminance: reading.luminance,
  last_reading_time: reading.timestamp,
};

function response(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { etag: '"v1"' } });
}
