import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { readJournal } from '#client/store/journal/journal.ts';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { addEntry, editEntry, undoEdit, undoRemoval } from '#client/store/outbox/entries.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { changePlant, addPlant as createPlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import type { PlantJournal } from '#contract/journal.ts';
import { fixedResponse } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const savedNote = {
  type: 'note',
  source: 'manual',
  note: 'Repotted',
  amount_ml: null,
  soil_before: null,
  soil_after: null,
  days: null,
  reason: null,
  state: 'saved',
} as const;

/** Expects the present moment of the server, at any time since `from` (ms). A clock's offset is known to a few seconds. */
function expectPresent(moment: number, from: number): void {
  expect(moment).toBeGreaterThan(from - 5_000);
  expect(moment).toBeLessThan(Date.now() + 5_000);
}

async function journalOnServer() {
  const headers = bearer(engine.account);
  const response = await engine.server.app.inject({ url: `/api/plants/${fern}/journal`, headers });
  return (response.json() as PlantJournal).entries;
}

/** The entry that the device shows. */
async function onlyEntry(): Promise<ShownEntry> {
  const [entry] = (await readJournal(engine.device.db, fern)).entries;
  if (!entry) throw new Error('not shown');
  return entry;
}

test('a device whose clock is an hour fast reports the true time of a watering', async () => {
  engine.device.aheadMs = 60 * minuteMs;
  await engine.device.pull();
  const really = Date.now() - 30 * minuteMs;
  await addWatering(engine.device.db, fern, really + engine.device.aheadMs);
  await engine.device.push();
  const [watered = 0] = await engine.wateringsOf(fern);
  expect(Math.abs(watered - really)).toBeLessThan(5_000);
});

test('the clock of a captive portal does not change the time of a watering', async () => {
  const { db, network, now, push } = engine.device;
  const twoHoursAgo = new Date(now() - 120 * minuteMs).toUTCString();
  network.failNext(/water/, fixedResponse(200, '<html>Log in</html>', { date: twoHoursAgo }));
  await addWatering(db, fern, now());
  await push();
  // The first watering waits. Another one is sent once the network is back.
  await db.outbox.toCollection().modify({ nextAt: now() + minuteMs });
  const aloe = (await addPlant(engine.server, engine.account, { nickname: 'Aloe' })).id;
  const tapped = now();
  await addWatering(db, aloe, tapped);
  await push();
  expect(await engine.wateringsOf(aloe)).toEqual([tapped]);
});

test('if the clock was set wrong while offline, a watering is rejected once and then stored with the correct time', async () => {
  const tapped = engine.device.now();
  await addWatering(engine.device.db, fern, tapped + 60 * minuteMs);
  engine.device.aheadMs = 60 * minuteMs;
  await engine.device.push();
  const [watered = 0] = await engine.wateringsOf(fern);
  expect(Math.abs(watered - tapped)).toBeLessThan(5_000);
  expect(engine.device.network.sent.map(({ status }) => status)).toEqual([422, 200]);
});

test('a watering that was first sent with a wrong time and got a 500 is later stored with the correct time', async () => {
  const { db, network } = engine.device;
  const tapped = engine.device.now();
  await addWatering(db, fern, tapped + 60 * minuteMs);
  engine.device.aheadMs = 60 * minuteMs;
  network.failNext(/water/, async (request) => {
    await request();
    return fixedResponse(500, { message: 'Oops' })(request);
  });
  await engine.device.push();
  await engine.device.pull();
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await engine.device.push();
  const [watered = 0] = await engine.wateringsOf(fern);
  expect(Math.abs(watered - tapped)).toBeLessThan(5_000);
  expect(await db.outbox.count()).toBe(0);
});

test.each([
  ['an hour fast', 60 * minuteMs],
  ['a year slow', -366 * 24 * 60 * minuteMs],
])(
  'changes first sent while the clock was %s are stored with a valid time after the clock was set right',
  async (_, aheadMs) => {
    const { db, network, now } = engine.device;
    engine.device.aheadMs = aheadMs;
    network.isDown = true;
    const note = { type: 'note', note: 'A new leaf', amount_ml: null, days: null } as const;
    const tapped = now();
    await addWatering(db, fern, tapped);
    await addEntry(db, fern, { ...note, at: tapped }, tapped);
    await engine.device.push();
    engine.device.aheadMs = 0;
    network.isDown = false;
    await db.outbox.toCollection().modify({ nextAt: 0 });
    const from = Date.now();
    await engine.device.push();
    expect(await db.outbox.count()).toBe(0);
    const entries = (await journalOnServer()).map(
      ({ type, at }) => [type, Date.parse(at)] as const,
    );
    expect(entries.map(([type]) => type).sort()).toEqual(['note', 'watered']);
    for (const [type, at] of entries) {
      if (type === 'watered') expectPresent(at, from);
      else expect(at).toBeLessThanOrEqual(Date.now());
    }
  },
);

test('a rejected change is not sent again if its time would be the same', async () => {
  const { network } = engine.device;
  network.failNext(/water/, fixedResponse(422, { message: 'Too wet' }));
  await addWatering(engine.device.db, fern, engine.device.now() - minuteMs);
  await engine.device.push();
  expect(network.sent).toHaveLength(1);
  expect((await engine.device.db.outbox.toArray())[0]?.state).toBe('rejected');
});

test('if the clock was set wrong while offline, every watering in the outbox is stored with the correct time', async () => {
  const plants = [fern];
  for (const nickname of ['Aloe', 'Ivy', 'Yucca']) {
    plants.push((await addPlant(engine.server, engine.account, { nickname })).id);
  }
  const tapped = engine.device.now();
  for (const id of plants) await addWatering(engine.device.db, id, tapped + 60 * minuteMs);
  engine.device.aheadMs = 60 * minuteMs;
  await engine.device.push();
  for (const id of plants) {
    const watered = await engine.wateringsOf(id);
    expect(watered).toHaveLength(1);
    expect(Math.abs((watered[0] ?? 0) - tapped)).toBeLessThan(5_000);
  }
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('two waterings half an hour apart both arrive', async () => {
  const [first, second] = [engine.device.now() - 30 * minuteMs, engine.device.now()];
  await addWatering(engine.device.db, fern, first);
  await addWatering(engine.device.db, fern, second);
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toEqual([first, second]);
});

test('changes that wait while the account’s time zone is changed arrive with their own times', async () => {
  const { db, now, push } = engine.device;
  const tapped = now();
  const noted = tapped - 40 * 24 * 60 * minuteMs;
  await addWatering(db, fern, tapped);
  const note = { type: 'note', note: 'A new leaf', amount_ml: null, days: null } as const;
  await addEntry(db, fern, { ...note, at: noted }, tapped);
  await changePlant(db, fern, { edits: { location: 'Attic' }, base: {} }, tapped);
  await engine.elsewhere('PATCH', '/auth/me', { time_zone: 'Pacific/Kiritimati' });
  await push();
  expect(await db.outbox.count()).toBe(0);
  expect(await engine.wateringsOf(fern)).toEqual([tapped]);
  const entries = (await journalOnServer()).map(({ type, at }) => [type, Date.parse(at)]);
  expect(entries).toEqual([
    ['watered', tapped],
    ['note', noted],
  ]);
});

test('a plant that waited is sent with the time at which it was added; without one if that would be in the future', async () => {
  const { db, push } = engine.device;
  const added = engine.device.now() - 3 * 60 * minuteMs;
  await createPlant(db, plantPayload({ nickname: 'Late' }), added);
  engine.device.aheadMs = 60 * minuteMs;
  await createPlant(db, plantPayload({ nickname: 'Fast' }), engine.device.now() - 2 * minuteMs);
  await db.outbox.toCollection().modify({ nextAt: 0 });
  engine.device.aheadMs = 0;
  await push();
  expect(await db.outbox.count()).toBe(0);
  const plants = await engine.serverPlants();
  const dateOf = (name: string) =>
    Date.parse(plants.find(({ nickname }) => nickname === name)?.date_added ?? '');
  expect(dateOf('Late')).toBe(added);
  expect(Math.abs(dateOf('Fast') - engine.device.now())).toBeLessThan(minuteMs);
});

test('a plant that was sent at once, without a network, keeps the date on which it was added', async () => {
  const { db, network, push } = engine.device;
  engine.device.aheadMs = -3 * 60 * minuteMs;
  const added = engine.device.now();
  network.isDown = true;
  await createPlant(db, plantPayload({ nickname: 'Offline' }), added);
  await push();
  engine.device.aheadMs = 0;
  network.isDown = false;
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  const offline = (await engine.serverPlants()).find(({ nickname }) => nickname === 'Offline');
  expect(Date.parse(offline?.date_added ?? '')).toBe(added);
});

test('a plant that was added before the clock was set back is sent with a time, without a network too', async () => {
  const { db, network, now, push } = engine.device;
  network.isDown = true;
  await createPlant(db, plantPayload({ nickname: 'Earlier' }), now() + 60 * minuteMs);
  await push();
  const [op] = await db.outbox.toArray();
  expect(op?.request?.path).toContain('added_at=');
});

test('a plant that is added with a fast clock, on which no response has been received yet, gets a date that is not in the future', async () => {
  const { db, network, push } = engine.device;
  engine.device.aheadMs = 60 * minuteMs;
  await createPlant(db, plantPayload({ nickname: 'Fast' }), engine.device.now());
  await push();
  const creates = network.sent.filter(({ method }) => method === 'POST');
  expect(creates.map(({ status }) => status)).toEqual([422, 201]);
  const fast = (await engine.serverPlants()).find(({ nickname }) => nickname === 'Fast');
  expect(Math.abs(Date.parse(fast?.date_added ?? '') - Date.now())).toBeLessThan(minuteMs);
});

/** The edit in the outbox as an earlier version of the app has stored it: it sends all fields. */
async function asEarlierVersion(): Promise<void> {
  await engine.device.db.outbox.toCollection().modify((op: Op) => {
    delete op.entry?.changed;
  });
}

test('an earlier version’s edit of an entry over a year old is sent with the entry’s own time, and the entry is added again with the earliest time that the server accepts', async () => {
  const { db, now, push, network } = engine.device;
  const at = now() - 400 * dayMs;
  const times = { at, serverAt: at, countedAt: at };
  const old: ShownEntry = { ...savedNote, ...times, id: randomUUID() };
  await editEntry(db, fern, old, { ...old, note: 'Half the dose' }, now());
  await asEarlierVersion();
  await push();
  expect(JSON.parse(network.sent.at(-1)?.body ?? '')).toMatchObject({
    at: new Date(at).toISOString(),
  });
  await db.outbox.clear();
  await undoRemoval(db, fern, old, now());
  await push();
  expect(await db.outbox.count()).toBe(0);
  const [added] = await journalOnServer();
  expect(added?.note).toBe('Repotted');
  expect(Date.parse(added?.at ?? '') - now()).toBeLessThan(-364 * dayMs);
});

test('an earlier version’s edit of an entry over a year old, whose time another device has changed meanwhile, is stored with the earliest time that the server accepts', async () => {
  const { db, now, push, network } = engine.device;
  const at = now() - 400 * dayMs;
  const recent = new Date(now() - 10 * dayMs).toISOString();
  const times = { at, serverAt: at, countedAt: at };
  const old: ShownEntry = { ...savedNote, ...times, id: randomUUID() };
  const entry = { id: old.id, type: 'note', at: recent, note: 'Repotted' };
  await engine.elsewhere('POST', `/api/plants/${fern}/journal`, entry);
  await editEntry(db, fern, old, { ...old, note: 'Half the dose' }, now());
  await asEarlierVersion();
  await push();
  expect(await db.outbox.count()).toBe(0);
  expect(network.sent.map(({ status }) => status)).toEqual([422, 200]);
  const [edited] = await journalOnServer();
  expect(edited?.note).toBe('Half the dose');
  const daysAgo = (now() - Date.parse(edited?.at ?? '')) / dayMs;
  expect(daysAgo).toBeCloseTo(365, 1);
});

test('a second tap within ten minutes of an unsent one is the same watering', async () => {
  const first = engine.device.now() - 5 * minuteMs;
  await addWatering(engine.device.db, fern, first);
  await addWatering(engine.device.db, fern, engine.device.now());
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toEqual([first]);
});

/** Moves an entry that the server added by a day, and sends that, with a clock that is three minutes slow. */
async function changeOfTimeSent() {
  const { db, now, push, pull } = engine.device;
  engine.device.aheadMs = -3 * minuteMs;
  await engine.elsewhere('POST', `/api/plants/${fern}/water`);
  await pull();
  const [before] = await journalOnServer();
  const shown = await onlyEntry();
  const change = { ...shown, at: shown.at - dayMs };
  await editEntry(db, fern, shown, change, now());
  await push();
  return { before, shown, change };
}

test('undoing a change of time that was sent restores the moment on the server, although the clock is three minutes slow', async () => {
  const { db, now, push } = engine.device;
  const { before, shown, change } = await changeOfTimeSent();
  expect((await journalOnServer())[0]?.at).not.toBe(before?.at);
  await undoEdit(db, fern, shown, change, now());
  await push();
  expect((await journalOnServer())[0]?.at).toBe(before?.at);
});

test('an edit of the note while a restored time is not sent yet does not move the entry, although the clock is three minutes slow', async () => {
  const { db, now, push } = engine.device;
  const { before, shown, change } = await changeOfTimeSent();
  await undoEdit(db, fern, shown, change, now());
  const restored = await onlyEntry();
  await editEntry(db, fern, restored, { ...restored, note: 'Rain water' }, now());
  await push();
  expect(await journalOnServer()).toMatchObject([{ at: before?.at, note: 'Rain water' }]);
});
