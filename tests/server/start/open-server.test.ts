import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockPlant, untilWaiting } from '../../support/database/database-waits.ts';
import { formOf, tinyJpeg } from '../../support/photos/jpeg.ts';
import { runningClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { openRunningServer } from '../../support/server/running-server.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const hourMs = 3_600_000;

let server: TestServer;
let account: Account;
let plantId: string;
beforeEach(async () => {
  server = await openTestServer(runningClock());
  account = await server.addAccount();
  plantId = (await addPlant(server, account)).id;
});
afterEach(() => server.close());

test('a running server rolls up readings, and the next start deletes those older than READINGS_DAYS', async () => {
  const begin = server.clock().getTime() - 40 * 24 * hourMs;
  const payload = Array.from({ length: 40 }, (_, n) => ({
    plant_id: plantId,
    soil_humidity: 40,
    timestamp: new Date(begin + n * hourMs).toISOString(),
  }));
  await requestAs(server, account)('POST', '/api/logs', { payload });
  const countIn = async (table: string) =>
    (await server.db.pool.query(`SELECT FROM ${table}`)).rowCount;
  expect(await countIn('sensor_logs')).toBe(40);
  const settings = { READINGS_DAYS: '10' };
  const first = await openRunningServer(server, settings);
  await expect.poll(() => countIn('reading_hours')).toBe(40);
  await first.close();
  const second = await openRunningServer(server, settings);
  // The newest of a plant are kept.
  await expect.poll(() => countIn('sensor_logs')).toBe(24);
  await second.close();
});

test('a running server applies MAX_PHOTO_BYTES, MAX_PHOTOS, LIVE_STREAMS and MAX_REQUESTS', async () => {
  const { app, close } = await openRunningServer(server, {
    MAX_PHOTO_BYTES: '102400',
    MAX_PHOTOS: '1',
    LIVE_STREAMS: '0',
    MAX_REQUESTS: '5',
  });
  const request = requestAs({ app }, account);
  const putPhoto = async (full: Buffer) => {
    const { payload, headers } = await formOf({ full, small: tinyJpeg() });
    const query = new URLSearchParams({
      plant_id: plantId,
      taken_at: server.clock().toISOString(),
    });
    return await request('PUT', `/api/photos/${randomUUID()}?${query}`, { payload, headers });
  };
  const large = await putPhoto(tinyJpeg({ extra: 102_400 }));
  expect(large.json().message).toBe('The file can have 100 KiB at most');
  expect((await putPhoto(tinyJpeg())).statusCode).toBe(200);
  expect((await putPhoto(tinyJpeg())).json().message).toContain('An account can have 1 photo');

  expect((await request('GET', '/api/live')).statusCode).toBe(503);

  const holder = await server.db.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, plantId);
  const waterings = Array.from({ length: 5 }, () =>
    request('POST', `/api/plants/${plantId}/water`),
  );
  await untilWaiting(server, 5);
  const refused = await request('GET', '/api/plants');
  await holder.query('COMMIT');
  holder.release();
  expect([refused.statusCode, refused.json().message]).toEqual([503, 'The server is busy']);
  await Promise.all(waterings);
  await close();
});
