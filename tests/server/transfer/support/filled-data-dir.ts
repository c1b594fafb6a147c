import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { databaseOver } from '#server/database/database.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { reachableDataDir } from '../../../support/database/data-dir.ts';
import { plantPayload } from '../../../support/factories.ts';
import { formOf, tinyJpeg } from '../../../support/photos/jpeg.ts';
import { startServer } from '../../../support/server/server-process.ts';
import { signIn, signUp } from '../../../support/server/sign-up.ts';

export const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };

/** A data directory to be moved, tokens for its server, and what the API returned before the move. */
export interface Garden {
  dataDir: string;
  token: string;
  deviceToken: string;
  plantId: string;
  /** The response to a watering with the key `watered`. */
  watered: string;
  seen: Seen;
}

export type Seen = Record<string, unknown>;

const photoId = randomUUID();

/** An embedded database filled through the API, with roll-ups whose readings are deleted. Its server has ended. */
export async function fillDataDir(): Promise<Garden> {
  const dataDir = reachableDataDir();
  const server = await startServer({ env: { DATA_DIR: dataDir } });
  await signUp(server, person);
  const token = await signIn(server.url, person);
  const request = requestWith(server.url, token);
  const payload = plantPayload({
    nickname: 'Rosé “½” \\N \t\n line',
    description: '\\.\n',
    device_id: 'pot-1',
    ideal_temperature_max: 25.1 + 1e-14,
  });
  const { id } = JSON.parse(await request('POST', '/api/plants', { body: payload }));
  await request('POST', '/api/plants', { body: plantPayload({ nickname: 'Fern' }) });
  for (const soil_humidity of [41.5, 40.25, 0.1 + 0.2]) {
    await request('POST', '/api/logs', { body: { plant_id: id, soil_humidity } });
  }
  const watered = await request('POST', `/api/plants/${id}/water?amount=150`, { key: 'watered' });
  const at = '2026-11-20T08:00:00Z';
  const entry = { id: randomUUID(), type: 'note', at, note: 'A new\tleaf \\ “½”' };
  await request('POST', `/api/plants/${id}/journal`, { body: entry });
  const form = await formOf({ full: tinyJpeg({ width: 1600, extra: 5_000 }), small: tinyJpeg() });
  await request(
    'PUT',
    `/api/photos/${photoId}?plant_id=${id}&entry_id=${entry.id}&taken_at=${at}`,
    {
      form,
    },
  );
  const device = await request('POST', '/api/device-tokens', { body: { device_id: 'pot-1' } });
  server.signal('SIGTERM');
  await server.ended;
  await addRollUps(dataDir, id);
  const again = await startServer({ env: { DATA_DIR: dataDir } });
  const seen = await whatIsSeen(again.url, token, id);
  again.signal('SIGTERM');
  await again.ended;
  return { dataDir, token, deviceToken: JSON.parse(device).token, plantId: id, watered, seen };
}

/** Everything that the app can show of the garden. */
export async function whatIsSeen(url: string, token: string, plantId: string): Promise<Seen> {
  const seen: Seen = {};
  for (const path of [
    '/auth/me',
    '/api/plants',
    `/api/plants/${plantId}`,
    `/api/logs/plant/${plantId}`,
    `/api/logs/plant/${plantId}/summary`,
    `/api/logs/plant/${plantId}/series?from=${rolledUp.from}&to=${rolledUp.to}`,
    `/api/plants/${plantId}/journal`,
    '/api/device-tokens',
  ]) {
    seen[path] = JSON.parse(await requestWith(url, token)('GET', path));
  }
  const photo = `/api/photos/${photoId}`;
  for (const path of [photo, `${photo}?size=small`]) {
    seen[path] = await requestWith(url, token)('GET', path);
  }
  return seen;
}

type Form = Awaited<ReturnType<typeof formOf>>;

/** Resolves to the response's text, or the bytes of a photo as text; an error response fails the test. */
export function requestWith(url: string, token: string) {
  return async (
    method: string,
    path: string,
    { body, key, form }: { body?: object; key?: string; form?: Form } = {},
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...form?.headers,
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: new Uint8Array(form.payload) }),
    });
    // Photos are decoded as latin1, where each byte is one character, so that all bytes are compared.
    const isPhoto = response.headers.get('content-type') === 'image/jpeg';
    const text = isPhoto
      ? Buffer.from(await response.arrayBuffer()).toString('latin1')
      : await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
}

const rolledUp = { from: '2024-01-01T00:00:00Z', to: '2024-12-31T00:00:00Z' };

/** Rolls up readings of 2024 and deletes them, as the server does with readings past the retention. */
async function addRollUps(dataDir: string, plantId: string): Promise<void> {
  await withDatabase(dataDir, async (pool) => {
    await pool.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, temperature)
        SELECT user_id, id, timestamptz '2024-06-01T10:15:00Z' + n * interval '50 minutes', 30 + n, 20.5
        FROM plants, generate_series(0, 39) n WHERE id = $1::uuid`,
      [plantId],
    );
    await rollUpReadings({
      db: databaseOver(pool),
      clock: () => new Date(),
      onFailure: (code) => {
        throw new Error(code);
      },
      pause: async () => undefined,
    });
    await pool.query(`DELETE FROM sensor_logs WHERE ts < '2025-01-01'`);
  });
}

/** Adds readings, one a minute. */
export async function addReadings(dataDir: string, plantId: string, count: number): Promise<void> {
  await withDatabase(dataDir, (pool) =>
    pool.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, temperature)
        SELECT user_id, id, timestamptz '2020-01-01' + n * interval '1 minute', n % 100 + 0.1, random() * 40
        FROM plants, generate_series(1, $2::int) n WHERE id = $1::uuid`,
      [plantId, count],
    ),
  );
}

export async function withDatabase(
  dataDir: string,
  use: (pool: pg.Pool) => Promise<unknown>,
): Promise<void> {
  const postgres = await openEmbedded({ dataDir });
  const pool = new pg.Pool(postgres.connection);
  // end() may resolve while sockets are closing; the pool emits an error if stopping PostgreSQL breaks one of them.
  pool.on('error', () => undefined);
  await use(pool);
  await pool.end();
  await postgres.stop();
}
