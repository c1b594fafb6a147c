import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalsResponse, PlantJournal } from '#contract/journal.ts';
import { addableTypes } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { demoAccount, insertDemo } from '#server/demo/seed-demo.ts';
import { simulateHistory } from '#simulator/world/climate.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import {
  cheapHasher,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const dayMs = 86_400_000;

let server: TestServer;
let request: RequestFunction;
let plants: (PlantRecord & { id: string })[];
beforeAll(async () => {
  server = await openTestServer();
  const { app, db, clock } = server;
  const hashPassword = cheapHasher.hash;
  await insertDemo({ db, now: clock(), hashPassword, simulateHistory });
  request = requestAs(server, { token: await login(app, demoAccount.email, demoAccount.password) });
  plants = (await request('GET', '/api/plants')).json();
});
afterAll(() => server.close());

async function journals(): Promise<[PlantRecord, PlantJournal][]> {
  const all: [PlantRecord, PlantJournal][] = [];
  for (const plant of plants) {
    all.push([plant, (await request('GET', `/api/plants/${plant.id}/journal`)).json()]);
  }
  return all;
}

test('the journals contain entries of every type, none before the plant was added', async () => {
  const types = new Set<string>();
  for (const [plant, { version, entries, next }] of await journals()) {
    expect(next).toBeNull();
    expect(version).toBe(plant.journal_version);
    for (const { type, at } of entries) {
      types.add(type);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(plant.date_added ?? ''));
      expect(Date.parse(at)).toBeLessThanOrEqual(server.clock().getTime());
    }
  }
  const hint = 'src/server/demo/stories.ts needs an entry of every type';
  expect([...types].sort(), hint).toEqual([...addableTypes, 'not_watered'].sort());
});

test('the dates of the plants are those of their newest entries', async () => {
  for (const [plant, { entries }] of await journals()) {
    const newest = (wanted: string) => entries.find(({ type }) => type === wanted)?.at ?? null;
    expect(newest('watered'), plant.nickname ?? '').toBe(plant.last_watered);
    expect(newest('fertilized'), plant.nickname ?? '').toBe(plant.last_fertilized);
    const snooze = newest('snoozed');
    expect(snooze === null || snooze < String(plant.last_watered)).toBe(true);
  }
});

test('one journal has automatic entries of the types watered and not_watered, and its newest watering raised the soil humidity', async () => {
  const fern = plants.find(({ nickname }) => nickname === 'Fernanda');
  const { entries } = (
    await request('GET', `/api/plants/${fern?.id}/journal`)
  ).json<PlantJournal>();
  const ofPump = entries.filter(({ source }) => source === 'auto');
  expect(new Set(ofPump.map(({ type }) => type))).toEqual(new Set(['watered', 'not_watered']));
  const newest = entries.find(({ type }) => type === 'watered');
  expect(newest?.soil_after).toBeGreaterThan(Number(newest?.soil_before) + 5);
});

test('several plants have photos, those of one plant span over two weeks, and every photo can be read in both sizes', async () => {
  const ids = plants.map(({ id }) => id).join(',');
  const response = (await request('GET', `/api/journal?plants=${ids}`)).json<JournalsResponse>();
  const photos = Object.values(response.journals).map((journal) => journal.photos ?? []);
  expect(photos.filter(({ length }) => length > 0).length).toBeGreaterThanOrEqual(4);
  const longest = photos.sort((a, b) => b.length - a.length)[0] ?? [];
  const spanMs =
    Date.parse(longest[0]?.taken_at ?? '') - Date.parse(longest.at(-1)?.taken_at ?? '');
  expect(spanMs).toBeGreaterThan(14 * dayMs);
  for (const { id, width, height } of photos.flat()) {
    expect([width, height]).toEqual([1200, 900]);
    for (const [size, maxBytes] of [
      ['full', 60 * 1024],
      ['small', 12 * 1024],
    ] as const) {
      const { rawPayload, statusCode } = await request('GET', `/api/photos/${id}?size=${size}`);
      expect(statusCode).toBe(200);
      expect(rawPayload.length).toBeLessThan(maxBytes);
    }
  }
});
