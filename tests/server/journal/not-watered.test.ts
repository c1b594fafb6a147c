import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlantJournal } from '#contract/journal.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, hourMs, minuteMs, openPot, type Pot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function readJournal({ request, id }: Pot): Promise<PlantJournal> {
  return (await request('GET', `/api/plants/${id}/journal`)).json();
}

/** The reasons of the entries `not_watered`, newest first. */
async function reasonsOf(pot: Pot): Promise<(string | null)[]> {
  const { entries } = await readJournal(pot);
  return entries.filter(({ type }) => type === 'not_watered').map(({ reason }) => reason);
}

async function waterBefore(pot: Pot, ms: number, amount_ml: number): Promise<void> {
  const at = new Date(server.clock().getTime() - ms).toISOString();
  const payload = { id: randomUUID(), type: 'watered', at, amount_ml };
  expect((await pot.request('POST', `/api/plants/${pot.id}/journal`, { payload })).statusCode).toBe(
    201,
  );
}

/** Lets the pump run three times without effect, which locks automatic watering of the plant. */
async function lock(pot: Pot): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    const { id } = await pot.reportDrySoil();
    await pot.report({ id, status: 'done' });
    server.clock.advance(45 * minuteMs);
  }
  await pot.reportSoil(20, 20, 20);
}

test('a dry plant that had four waterings in 24 h gets one entry, however often its soil becomes dry again', async () => {
  const pot = await openPot(server);
  for (let n = 1; n <= 4; n += 1) await waterBefore(pot, n * hourMs, 50);
  const version = (await pot.record()).journal_version;
  await pot.reportSoil(20, 20, 20);
  const { entries } = await readJournal(pot);
  expect(entries[0]).toEqual({
    id: expect.any(String),
    type: 'not_watered',
    source: 'auto',
    at: server.clock().toISOString(),
    note: null,
    amount_ml: null,
    soil_before: null,
    soil_after: null,
    days: null,
    reason: 'runs_used',
  });
  expect((await pot.record()).journal_version).toBe(Number(version) + 1);
  for (let n = 0; n < 3; n += 1) await pot.reportSoil(50, 50, 20, 20);
  expect(await reasonsOf(pot)).toEqual(['runs_used']);
});

test('after another watering the same reason adds a new entry', async () => {
  const pot = await openPot(server);
  for (let n = 1; n <= 4; n += 1) await waterBefore(pot, n * hourMs, 50);
  await pot.reportSoil(20, 20, 20);
  await pot.water({ amount: '20' });
  server.clock.advance(45 * minuteMs);
  await pot.reportSoil(20, 20, 20);
  expect(await reasonsOf(pot)).toEqual(['runs_used', 'runs_used']);
});

test('a dry plant that had 600 ml in 24 h gets an entry', async () => {
  const pot = await openPot(server);
  await waterBefore(pot, hourMs, 600);
  await pot.reportSoil(20, 20, 20);
  expect(await reasonsOf(pot)).toEqual(['water_used']);
});

test('locking automatic watering adds one entry; locking it again after an unlock adds another', async () => {
  const pot = await openPot(server);
  await lock(pot);
  expect(await reasonsOf(pot)).toEqual(['locked']);
  await pot.reportSoil(50, 50, 20, 20);
  expect((await pot.record()).auto_watering_reason).toBe('locked');
  expect(await reasonsOf(pot)).toEqual(['locked']);
  await pot.water({ amount: '1' });
  server.clock.advance(dayMs);
  await lock(pot);
  expect(await reasonsOf(pot)).toEqual(['locked', 'locked']);
});

test.each([
  { status: 'failed' },
  { status: 'failed', amount_ml: 30 },
  { status: 'done', amount_ml: 0 },
] as const)(
  'a command that is reported as %j is an entry, also if the report is repeated',
  async (result) => {
    const pot = await openPot(server);
    const { id } = await pot.reportDrySoil();
    await pot.report({ id, ...result }, { id, ...result });
    await pot.report({ id, ...result });
    expect(await reasonsOf(pot)).toEqual(['pump_failed']);
  },
);

test.each([
  [{ status: 'failed', amount_ml: 0 }, []],
  [{ status: 'failed' }, ['pump_failed']],
  [{ status: 'done', amount_ml: 0 }, ['pump_failed']],
] as const)(
  'a command that is reported as %j after it has expired has the entries %j',
  async (result, reasons) => {
    const pot = await openPot(server);
    const { id, expires_at } = await pot.reportDrySoil();
    server.clock.advance(Date.parse(expires_at) - server.clock().getTime());
    await pot.report({ id, ...result });
    expect(await reasonsOf(pot)).toEqual(reasons);
  },
);

test('no not_watered entry is added while the soil is moist enough, a watering is under way or its water is soaking in', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 50, 50, 50);
  const { id } = await pot.reportDrySoil();
  await pot.reportSoil(20);
  await pot.report({ id, status: 'done' });
  await pot.reportSoil(20);
  expect((await pot.record()).auto_watering_reason).toBe('soaking');
  await pot.log({ luminance: 5 });
  server.clock.advance(hourMs);
  expect(await reasonsOf(pot)).toEqual([]);
  expect((await readJournal(pot)).entries).toMatchObject([{ type: 'watered', source: 'auto' }]);
});

test('entries of automatic watering cannot be changed or removed', async () => {
  const pot = await openPot(server);
  await pot.report({ id: (await pot.reportDrySoil()).id, status: 'done' });
  server.clock.advance(hourMs);
  await pot.report({ id: (await pot.reportDrySoil()).id, status: 'failed' });
  const before = await readJournal(pot);
  expect(before.entries.map(({ type }) => type)).toEqual(['not_watered', 'watered']);
  for (const { id, at } of before.entries) {
    const url = `/api/plants/${pot.id}/journal/${id}`;
    const payload: Partial<JournalEntry> = { at, note: 'mine', amount_ml: null };
    for (const response of [
      await pot.request('PUT', url, { payload }),
      await pot.request('DELETE', url),
    ]) {
      expect(response.statusCode).toBe(403);
      expect(response.json()).toEqual({
        code: 'forbidden',
        message: 'Automatic watering added this entry, so it cannot be changed or removed',
      });
    }
  }
  expect(await readJournal(pot)).toEqual(before);
});

test('after an entry is added, the next delta of another device contains the plant as changed', async () => {
  const pot = await openPot(server);
  await waterBefore(pot, hourMs, 600);
  await pot.reportSoil(20, 20);
  const list = '/api/plants/with-latest-readings';
  const before = await pot.request('GET', list);
  await pot.reportSoil(20);
  const options = { ifNoneMatch: String(before.headers.etag), headers: { 'a-im': 'sprig-delta' } };
  const delta = await pot.request('GET', list, options);
  expect(delta.statusCode).toBe(226);
  expect(delta.json().changed).toMatchObject([
    { id: pot.id, journal_version: 2, etag: '"v3"', auto_watering_reason: 'water_used' },
  ]);
});

test('dry readings that a device sends in one request add one entry', async () => {
  const pot = await openPot(server);
  await waterBefore(pot, hourMs, 600);
  const from = server.clock().getTime();
  server.clock.advance(12 * minuteMs);
  const payload = [0, 3, 6, 9, 12].map((minutes) => ({
    plant_id: pot.id,
    soil_humidity: 20,
    timestamp: new Date(from + minutes * minuteMs).toISOString(),
  }));
  await pot.request('POST', '/api/logs', { payload });
  expect(await reasonsOf(pot)).toEqual(['water_used']);
});
