import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlantJournal } from '#contract/journal.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { countOf, type Random, runSeed, seeded } from '../../support/seeded.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { openPot, type Pot } from '../../support/server/soil.ts';
import { minuteMs } from './support/journal.ts';
import { backMs, type ModelEntry, ModelPlant } from './support/model-plant.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const histories = countOf('SPRIG_JOURNAL_HISTORIES', 16);
const steps = 60;

test('property: dates are always derived from the journal, and no journal change lets the pump exceed its limits', async () => {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  for (let n = 0; n < histories; n += 1) {
    const random = seeded(runSeed(), n);
    const pot = await openPot(server, { watering_frequency: 1 + random.below(5) });
    const history = openHistory(pot, await pot.record(), random, count);
    for (let step = 0; step < steps; step += 1) {
      const done = await history.step();
      expect({ n, step, done, ...(await history.stored()) }).toEqual({
        n,
        step,
        done,
        ...history.model.dates(),
      });
    }
    expect(await history.storedEntries()).toEqual(history.shownEntries());
  }
  const runs = histories * steps;
  for (const [what, least] of [
    ['command', runs / 40],
    ['moved', runs / 40],
    ['removed', runs / 40],
    ['soaking', 1],
    ['runs_used', runs / 40],
    ['water_used', 1],
  ] as const) {
    expect(seen.get(what) ?? 0, what).toBeGreaterThanOrEqual(least);
  }
}, 600_000);

/** One plant whose person and sensor do random things. */
function openHistory(pot: Pot, plant: PlantRecord, random: Random, count: (what: string) => void) {
  const model = new ModelPlant({
    date_added: plant.date_added ?? '',
    watering_frequency: plant.watering_frequency ?? 0,
  });
  const journal = `/api/plants/${pot.id}/journal`;
  const now = () => server.clock().getTime();
  const anyAt = () => now() - (random.chance(0.4) ? 0 : random.below(backMs));
  const anyAmount = () => random.pick([null, 50, 150, 300, 600]);
  const ofPerson = (entries: Map<string, ModelEntry>) =>
    [...entries.values()].filter(({ source }) => source === 'manual');

  function bodyOf({ id, type, at, amountMl, days }: ModelEntry) {
    return { id, type, at: new Date(at).toISOString(), amount_ml: amountMl, days };
  }

  async function read(): Promise<void> {
    server.clock.advance((2 + random.below(40)) * minuteMs);
    const soil_humidity = random.chance(0.85) ? 5 + random.below(20) : 50;
    const done = model.commands.filter(({ id }) => !model.shown.has(id)).slice(-1);
    const command_results = random.chance(0.8)
      ? done.map(({ id }) => ({ id, status: 'done' as const }))
      : [];
    const commands = await pot.log({ soil_humidity, command_results });
    for (const { id, expiresAt } of done.filter(() => command_results.length > 0)) {
      const at = Math.min(expiresAt, now());
      model.put({ id, type: 'watered', source: 'auto', at, amountMl: null, days: null });
    }
    for (const { id, amount_ml: amountMl, expires_at } of commands) {
      if (model.commands.some((known) => known.id === id)) continue;
      const command = { id, issuedAt: now(), expiresAt: Date.parse(expires_at), amountMl };
      expect(model.doubtsAbout(command)).toEqual([]);
      model.commands.push(command);
      count('command');
    }
    const { auto_watering_reason: reason } = await pot.record();
    if (reason) count(reason);
  }

  async function add(): Promise<void> {
    const type = random.pick(['watered', 'watered', 'fertilized', 'snoozed'] as const);
    const amountMl = type === 'watered' ? anyAmount() : null;
    const days = type === 'snoozed' ? 1 + random.below(7) : null;
    const id = randomUUID();
    const entry: ModelEntry = { id, type, source: 'manual', at: anyAt(), amountMl, days };
    if (type === 'watered' && random.chance(0.3)) {
      const query = new URLSearchParams({
        watered_at: new Date(entry.at).toISOString(),
        ...(amountMl !== null && { amount: String(amountMl) }),
      });
      const response = await pot.request('POST', `/api/plants/${pot.id}/water?${query}`, {
        key: id,
      });
      expect(response.statusCode).toBe(200);
    } else {
      const response = await pot.request('POST', journal, { payload: bodyOf(entry) });
      expect(response.statusCode, response.body).toBe(201);
    }
    model.put(entry);
  }

  async function change(): Promise<void> {
    const [entry] = anyOf(ofPerson(model.shown), random);
    if (!entry) return add();
    const amountMl = entry.type === 'watered' ? anyAmount() : null;
    const edited = { ...entry, amountMl, at: random.chance(0.7) ? anyAt() : entry.at };
    const payload = bodyOf(edited);
    const response = await pot.request('PUT', `${journal}/${entry.id}`, { payload });
    expect(response.statusCode, response.body).toBe(200);
    model.put(edited);
    if (edited.at !== entry.at) count('moved');
  }

  async function remove(): Promise<void> {
    const [entry] = anyOf(ofPerson(model.shown), random);
    if (!entry) return;
    const response = await pot.request('DELETE', `${journal}/${entry.id}`);
    expect(response.statusCode, response.body).toBe(200);
    model.remove(entry.id);
    count('removed');
  }

  async function restore(): Promise<void> {
    const [entry] = anyOf(ofPerson(model.removed), random);
    if (!entry) return;
    const restored = { ...entry, at: anyAt() };
    const response = await pot.request('POST', journal, { payload: bodyOf(restored) });
    expect(response.statusCode, response.body).toBe(201);
    model.put(restored);
  }

  const actions = [...Array(12).fill(read), add, add, change, change, remove, remove, restore];
  return {
    model,
    step: async (): Promise<string> => {
      const action: () => Promise<void> = random.pick(actions);
      await action();
      return action.name;
    },
    stored: async () => {
      const { last_watered, last_fertilized, snoozed_until, next_watering_date } =
        await pot.record();
      return { last_watered, last_fertilized, snoozed_until, next_watering_date };
    },
    storedEntries: async () => {
      const { entries } = (await pot.request('GET', journal)).json<PlantJournal>();
      return entries
        .filter(({ source }) => source === 'manual')
        .map(({ id, type, at, amount_ml, days }) => ({ id, type, at, amount_ml, days }));
    },
    shownEntries: () =>
      ofPerson(model.shown)
        .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
        .map(bodyOf),
  };
}

/** A random item as an array; empty if there is none. */
function anyOf<T>(all: readonly T[], random: Random): T[] {
  return all.length === 0 ? [] : [random.pick(all)];
}
