import { expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { requestSeries } from '#client/store/series.ts';
import { fetchAllWanted, fetchWantedSeries } from '#client/sync/pull/series.ts';
import { rangeNames } from '#domain/reading/ranges.ts';
import { fixedResponse } from '../../../support/device/network.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

async function plantWithReading(): Promise<string> {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(engine.account),
    payload: {
      plant_id: id,
      timestamp: new Date(Date.now() - 3_600_000).toISOString(),
      temperature: 21.5,
    },
  });
  return id;
}

const request = (id: string, range: (typeof rangeNames)[number]) =>
  requestSeries(engine.device.db, id, range, { by: 'person', now: engine.device.now() });
const rowOf = (id: string, range: (typeof rangeNames)[number]) =>
  engine.device.db.series.get([id, range]);

test('every range that is wanted is fetched and stored', async () => {
  const id = await plantWithReading();
  for (const range of rangeNames) await request(id, range);
  expect(await fetchAllWanted(engine.device.context)).toBe('done');
  expect(engine.requests()).toEqual(rangeNames.map(() => 'GET /api/logs/plant/:id/series 200'));
  for (const range of rangeNames) {
    const row = await rowOf(id, range);
    expect(row).toMatchObject({ isWanted: 0, hasFailed: false });
    expect(row?.series?.temperature.mean.filter((mean) => mean !== null)).toEqual([21.5]);
  }
});

test('a recent range that a screen requests is fetched again once a watering is confirmed, and then contains it', async () => {
  const { db, context, pull, push, now } = engine.device;
  const id = await plantWithReading();
  await pull();
  await request(id, '7d');
  await fetchAllWanted(context);
  const fetchForScreen = async () => {
    await requestSeries(db, id, '7d', { by: 'screen', now: now() });
    await fetchAllWanted(context);
    const waterings = (await rowOf(id, '7d'))?.series?.waterings.count;
    const requests = engine.requests().filter((line) => line.includes('series'));
    return { waterings, requests: requests.length };
  };
  await addWatering(db, id, now());
  expect(await fetchForScreen()).toEqual({ waterings: [], requests: 1 });
  await push();
  expect(await fetchForScreen()).toEqual({ waterings: [1], requests: 2 });
  expect(await fetchForScreen()).toEqual({ waterings: [1], requests: 2 });
});

test("the range ends at the server's time, even if the device's clock is wrong", async () => {
  const id = await plantWithReading();
  engine.device.aheadMs = 40 * 86_400_000;
  await engine.device.pull();
  await request(id, '24h');
  await fetchAllWanted(engine.device.context);
  const means = (await rowOf(id, '24h'))?.series?.temperature.mean;
  expect(means?.filter((mean) => mean !== null)).toEqual([21.5]);
});

test('without a response a range stays wanted, and its stored series is not deleted', async () => {
  const id = await plantWithReading();
  await request(id, '7d');
  await fetchAllWanted(engine.device.context);
  await request(id, '7d');
  engine.device.network.isDown = true;
  expect(await fetchAllWanted(engine.device.context)).toBe('done');
  expect(await rowOf(id, '7d')).toMatchObject({ isWanted: 1, hasFailed: true });
  expect((await rowOf(id, '7d'))?.series?.count).toBeGreaterThan(160);
  engine.device.network.isDown = false;
  await fetchAllWanted(engine.device.context);
  expect(await rowOf(id, '7d')).toMatchObject({ isWanted: 0, hasFailed: false });
});

test('a range whose request gets a 500 is marked as failed and no longer wanted', async () => {
  const id = await plantWithReading();
  await request(id, '7d');
  engine.device.network.failNext(/series/, fixedResponse(500, { message: 'broken' }));
  await fetchAllWanted(engine.device.context);
  expect(await rowOf(id, '7d')).toMatchObject({ isWanted: 0, hasFailed: true, series: null });
});

test('after a 429 the other ranges are not requested, and all stay wanted', async () => {
  const id = await plantWithReading();
  await request(id, '24h');
  await request(id, '7d');
  engine.device.network.failNext(/series/, fixedResponse(429, { message: 'slow down' }));
  await fetchAllWanted(engine.device.context);
  expect(engine.requests()).toHaveLength(1);
  expect((await engine.device.db.series.toArray()).map(({ isWanted }) => isWanted)).toEqual([1, 1]);
  await fetchAllWanted(engine.device.context);
  expect((await engine.device.db.series.toArray()).map(({ isWanted }) => isWanted)).toEqual([0, 0]);
});

test('a session that has ended is reported, and the range stays wanted', async () => {
  const id = await plantWithReading();
  await request(id, '7d');
  await request(id, '1y');
  engine.device.network.failNext(/series/, fixedResponse(401, { message: 'no' }));
  expect(await fetchAllWanted(engine.device.context)).toBe('unauthorized');
  expect(engine.requests()).toHaveLength(1);
  expect(await rowOf(id, '7d')).toMatchObject({ isWanted: 1, hasFailed: false });
});

test('the range of a plant that is deleted while the range is requested is not stored again', async () => {
  const id = await plantWithReading();
  await request(id, '7d');
  engine.device.network.failNext(/series/, async (pass) => {
    await engine.device.db.series.clear();
    return pass();
  });
  await fetchAllWanted(engine.device.context);
  expect(await engine.device.db.series.count()).toBe(0);
});

test('a range is fetched as soon as it is wanted; after a failure it is fetched again when retryNow is called', async () => {
  const id = await plantWithReading();
  const series = fetchWantedSeries(engine.device.context, () =>
    expect.fail('the session has not ended'),
  );
  await request(id, '7d');
  await expect.poll(() => rowOf(id, '7d')).toMatchObject({ isWanted: 0 });
  const sent = engine.device.network.sent.length;
  engine.device.network.isDown = true;
  await request(id, '1y');
  await expect.poll(() => rowOf(id, '1y')).toMatchObject({ hasFailed: true });
  engine.device.network.isDown = false;
  // The failed request is not repeated until `retryNow` is called. The leader calls it after each successful pull.
  expect(engine.device.network.sent).toHaveLength(sent + 1);
  series.retryNow();
  await expect.poll(() => rowOf(id, '1y')).toMatchObject({ isWanted: 0, hasFailed: false });
  series.stop();
});
