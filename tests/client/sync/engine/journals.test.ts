import { expect, test } from 'vitest';
import { readJournal, requestJournal } from '#client/store/journal/journal.ts';
import { addEntry, editEntry, removeEntry } from '#client/store/outbox/entries.ts';
import { addPlant as createPlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { openDevice } from '../../../support/device/device.ts';
import { delayedResponse, fixedResponse, lostRequest } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

const plain = { note: null, amount_ml: null, days: null } as const;

/** Adds a plant, pulls it and clears the list of requests. Resolves to its id. */
async function pulledPlant(): Promise<string> {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  engine.device.network.sent.length = 0;
  return id;
}

async function waterElsewhere(id: string): Promise<void> {
  await engine.elsewhere('POST', `/api/plants/${id}/water`);
}

async function storedTypes(id: string): Promise<string[] | undefined> {
  return (await engine.device.db.journal.get(id))?.entries.map(({ type }) => type);
}

test('a tap on Water Now needs no request for the journal, and its entry is in the stored journal', async () => {
  const id = await pulledPlant();
  const opId = await addWatering(engine.device.db, id, engine.device.now());
  await engine.device.push();
  await engine.device.pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([]);
  expect((await engine.device.db.journal.get(id))?.entries).toMatchObject([
    { id: opId, type: 'watered', source: 'manual' },
  ]);
});

test('entries are added, edited and removed without a request for the journal, and another device sees them', async () => {
  const id = await pulledPlant();
  const { db, now, push } = engine.device;
  const fed = await addEntry(db, id, { ...plain, type: 'fertilized', at: now() }, now());
  const note = { ...plain, type: 'note' as const, note: 'A', at: now() - 86_400_000 };
  await addEntry(db, id, note, now());
  await push();
  const [shown] = (await readJournal(db, id)).entries.filter((entry) => entry.id === fed);
  if (!shown) throw new Error('not shown');
  await editEntry(db, id, shown, { ...shown, note: 'Half the dose' }, now());
  await push();
  const old = (await readJournal(db, id)).entries.find(({ type }) => type === 'note');
  if (!old) throw new Error('not shown');
  await removeEntry(db, id, old, now() - 11_000);
  await push();
  await engine.device.pull();
  expect(
    engine.requests().filter((one) => one.startsWith('GET') && one.includes('journal')),
  ).toEqual([]);
  const other = openDevice(engine.server, engine.account);
  await other.pull();
  const { entries } = await readJournal(other.db, id);
  expect(entries).toMatchObject([{ id: fed, type: 'fertilized', note: 'Half the dose' }]);
  expect((await other.plant(id))?.record.last_fertilized).toBe(new Date(shown.at).toISOString());
  await other.close();
});

test('an entry stays visible after it was sent although its journal was not fetched yet, and the journal counts as not stored', async () => {
  const id = await pulledPlant();
  await waterElsewhere(id);
  const { db, network, now, push, pull } = engine.device;
  network.failNext(/journal/, lostRequest);
  await pull();
  const note = await addEntry(db, id, { ...plain, type: 'note', note: 'A', at: now() }, now());
  const shownIds = async () => (await readJournal(db, id)).entries.map((entry) => entry.id);
  expect(await shownIds()).toEqual([note]);
  await push();
  expect(await db.outbox.count()).toBe(0);
  expect(await readJournal(db, id)).toMatchObject({ entries: [{ id: note }], isStored: false });
  await pull();
  expect(await readJournal(db, id)).toMatchObject({ isStored: true });
  expect(await shownIds()).toEqual([note, expect.any(String)]);
});

test('a fetched journal does not replace an entry that was sent during the fetch', async () => {
  const id = await pulledPlant();
  await waterElsewhere(id);
  const { db, network, now, push, pull } = engine.device;
  const delayed = delayedResponse();
  network.failNext(/journal/, delayed.fault);
  const pulled = pull();
  await delayed.arrived;
  const note = await addEntry(db, id, { ...plain, type: 'note', note: 'A', at: now() }, now());
  await push();
  delayed.release();
  await pulled;
  expect(await readJournal(db, id)).toMatchObject({ entries: [{ id: note }], isStored: false });
  await pull();
  expect(await storedTypes(id)).toEqual(['note', 'watered']);
});

test('a journal that changed elsewhere is fetched once and not again', async () => {
  const id = await pulledPlant();
  await waterElsewhere(id);
  await engine.device.pull();
  await engine.device.pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([
    'GET /api/plants/:id/journal 200',
  ]);
  expect(await storedTypes(id)).toEqual(['watered']);
});

test('the journals of many plants are fetched in one request with their newest entries, and opening a journal fetches its whole first page', async () => {
  const ids = [await pulledPlant(), await pulledPlant(), await pulledPlant()];
  const [first = ''] = ids;
  for (const id of ids) await waterElsewhere(id);
  for (let i = 0; i < 30; i++) await waterElsewhere(first);
  await engine.device.pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([
    'GET /api/journal 200',
  ]);
  expect(await storedTypes(first)).toHaveLength(20);
  await requestJournal(engine.device.db, first, engine.device.now());
  await engine.device.pull();
  await engine.device.pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([
    'GET /api/journal 200',
    'GET /api/plants/:id/journal 200',
  ]);
  expect(await storedTypes(first)).toHaveLength(31);
});

test('opening a history of 101 entries fetches the newest 100, and older ones can be requested', async () => {
  const id = await pulledPlant();
  for (let i = 0; i < 101; i++) await waterElsewhere(id);
  await requestJournal(engine.device.db, id, engine.device.now());
  await engine.device.pull();
  expect(await storedTypes(id)).toHaveLength(100);
  const { next } = (await engine.device.db.journal.get(id)) ?? {};
  const url = `/api/plants/${id}/journal?before=${next}`;
  const { app } = engine.server;
  const older = await app.inject({ url, headers: bearer(engine.account) });
  expect(older.json()).toMatchObject({ entries: [{ type: 'watered' }], next: null });
});

test('a stored page of a long journal is not shortened if several journals were changed elsewhere', async () => {
  const ids = [await pulledPlant(), await pulledPlant(), await pulledPlant()];
  const [long = '', ...others] = ids;
  for (let i = 0; i < 20; i++) await waterElsewhere(long);
  await engine.device.pull();
  expect(await storedTypes(long)).toHaveLength(20);
  for (const id of ids) await waterElsewhere(id);
  engine.device.network.sent.length = 0;
  await engine.device.pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([
    'GET /api/journal 200',
    'GET /api/plants/:id/journal 200',
  ]);
  expect(await storedTypes(long)).toHaveLength(21);
  for (const id of others) expect(await storedTypes(id)).toHaveLength(1);
});

test('many long journals that were changed elsewhere are fetched in one request', async () => {
  const { db, pull } = engine.device;
  const ids = await Promise.all(Array.from({ length: 11 }, pulledPlant));
  for (const id of ids) await waterElsewhere(id);
  await pull();
  await db.journal.toCollection().modify((row) => {
    const [entry] = row.entries;
    row.entries = Array.from({ length: 25 }, () => entry).filter((one) => one !== undefined);
    row.version -= 1;
  });
  engine.device.network.sent.length = 0;
  await pull();
  expect(engine.requests().filter((one) => one.includes('journal'))).toEqual([
    'GET /api/journal 200',
  ]);
  expect(await storedTypes(ids[0] ?? '')).toHaveLength(1);
});

test('opening the history within a day after a watering fetches the journal again, for the soil humidity measured since', async () => {
  const id = await pulledPlant();
  const { db, now, pull } = engine.device;
  const measure = (soil: number) =>
    engine.elsewhere('POST', '/api/logs', {
      plant_id: id,
      soil_humidity: soil,
      timestamp: new Date().toISOString(),
    });
  await measure(20);
  await waterElsewhere(id);
  await pull();
  await measure(61);
  await pull();
  const soil = async () => (await db.journal.get(id))?.entries[0];
  expect(await soil()).toMatchObject({ soil_before: 20, soil_after: null });
  await requestJournal(db, id, now());
  await pull();
  expect(await soil()).toMatchObject({ soil_before: 20, soil_after: 61 });
  await requestJournal(db, id, now() + 25 * 3_600_000);
  expect(await db.syncState.get('history')).toBeUndefined();
});

test('a journal that cannot be fetched does not fail the pull, and is fetched by the next one', async () => {
  const id = await pulledPlant();
  await waterElsewhere(id);
  engine.device.network.failNext(/journal/, fixedResponse(500, { message: 'No' }));
  expect(await engine.device.pull()).toBe('done');
  expect(await storedTypes(id)).toBeUndefined();
  await engine.device.pull();
  expect(await storedTypes(id)).toEqual(['watered']);
});

test('changes of entries stay visible before and after they are sent, while the stored journal lacks a change from elsewhere', async () => {
  const id = await pulledPlant();
  const { db, now, push, pull } = engine.device;
  const note = { ...plain, type: 'note' as const, note: 'A', at: now() };
  const [first, second] = [
    await addEntry(db, id, note, now()),
    await addEntry(db, id, note, now()),
  ];
  await push();
  await waterElsewhere(id);
  const shown = async () => (await readJournal(db, id)).entries.map((one) => [one.id, one.note]);
  const [edited, removed] = (await readJournal(db, id)).entries;
  if (!edited || !removed) throw new Error('not shown');
  await editEntry(db, id, edited, { ...edited, note: 'B' }, now());
  await removeEntry(db, id, removed, now() - 11_000);
  const added = await addEntry(db, id, { ...note, note: 'C', at: now() - 60_000 }, now());
  const expected = [
    [edited.id, 'B'],
    [added, 'C'],
  ];
  expect(await shown()).toEqual(expected);
  await push();
  expect([first, second]).toContain(removed.id);
  expect(await shown()).toEqual(expected);
  await pull();
  expect((await shown()).filter(([, text]) => text !== null)).toEqual(expected);
  expect(await storedTypes(id)).toHaveLength(3);
});

test('a plant made on this device has its whole journal on the device without requesting it', async () => {
  const { db, now, push, pull } = engine.device;
  const { opId } = await createPlant(db, plantPayload(), now());
  await addEntry(db, `local-${opId}`, { ...plain, type: 'repotted', at: now() }, now());
  await push();
  await pull();
  expect(engine.requests().some((one) => one.startsWith('GET /api/plants/:id/journal'))).toBe(
    false,
  );
  expect((await readJournal(db, `local-${opId}`)).entries).toMatchObject([
    { type: 'repotted', state: 'saved' },
  ]);
});

test('an edit of an entry that was deleted elsewhere is rejected, but a removal of that entry counts as done', async () => {
  const id = await pulledPlant();
  const { db, now, push } = engine.device;
  const entryId = await addEntry(db, id, { ...plain, type: 'pruned', at: now() }, now());
  await push();
  const [shown] = (await readJournal(db, id)).entries;
  if (!shown) throw new Error('not shown');
  await engine.elsewhere('DELETE', `/api/plants/${id}/journal/${entryId}`);
  await editEntry(db, id, shown, { ...shown, note: 'A' }, now());
  await push();
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'edit_entry', state: 'rejected', lastError: { status: 404 } },
  ]);
  await removeEntry(db, id, shown, now() - 11_000);
  await push();
  expect(await db.outbox.count()).toBe(0);
});
