import { assert, expect, test } from 'vitest';
import { readJournal } from '#client/store/journal/journal.ts';
import { applyEntryOps, type ShownEntry } from '#client/store/journal/shown-entries.ts';
import {
  addEntry,
  editEntry,
  removeEntry,
  undoEdit,
  undoRemoval,
} from '#client/store/outbox/entries.ts';
import { undoMs } from '#client/store/outbox/op.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { addPhotos } from '#client/store/photos/photos.ts';
import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import {
  journalEntry,
  journalRow,
  plantRecord,
  plantRow,
} from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const dayMs = 86_400_000;
const plain = { note: null, amount_ml: null, days: null } as const;
const watered = { type: 'watered', ...plain } as const;

/** p1 with its stored journal: a watering on 1 November, one on 28 October. */
async function dbWithJournal(): Promise<DeviceDb> {
  const db = freshDb();
  await db.plants.put(plantRow());
  const before = journalEntry({ id: 'e0', at: '2026-10-28T08:00:00.000Z' });
  await db.journal.put(journalRow({ entries: [journalEntry(), before] }));
  return db;
}

async function shown(db: DeviceDb, id: string): Promise<ShownEntry> {
  const entry = (await readJournal(db, 'p1')).entries.find((one) => one.id === id);
  if (!entry) throw new Error(`no entry ${id}`);
  return entry;
}

async function record(db: DeviceDb) {
  const [plant] = await readPlants(db);
  return plant?.record;
}

async function ops(db: DeviceDb) {
  return (await db.outbox.toArray()).map(({ type }) => type);
}

test('an added entry is in the journal and in the plant’s dates at once, and its op has the plant’s nickname', async () => {
  const db = await dbWithJournal();
  const id = await addEntry(db, 'p1', { ...watered, at: now - dayMs, amount_ml: 200 }, now);
  expect(await shown(db, id)).toMatchObject({ type: 'watered', amount_ml: 200, state: 'waiting' });
  expect(await record(db)).toMatchObject({
    last_watered: '2026-11-19T08:00:00.000Z',
    next_watering_date: '2026-11-22T08:00:00.000Z',
  });
  const [op] = await db.outbox.toArray();
  expect(op).toMatchObject({ opId: id, occurredAt: now, base: { nickname: 'Fern' } });
});

test('an entry of the server keeps its exact moment if only its note and amount are edited', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, { at: entry.at, note: 'Rain water', amount_ml: 100 }, now);
  expect((await db.outbox.toArray())[0]?.entry).toEqual({
    id: 'e1',
    type: 'watered',
    at: entry.at,
    isServerTime: true,
    note: 'Rain water',
    amount_ml: 100,
    days: null,
    changed: ['note', 'amount_ml'],
  });
  expect(await record(db)).toEqual(plantRecord());
});

test('an entry that is saved unchanged leaves nothing to send', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, entry, now);
  expect(await ops(db)).toEqual([]);
});

test('an edit keeps what another tab has changed since the screen was drawn', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, { ...entry, note: 'Rain water' }, now);
  await editEntry(db, 'p1', entry, { ...entry, amount_ml: 100 }, now);
  expect(await db.outbox.toArray()).toMatchObject([
    { entry: { note: 'Rain water', amount_ml: 100, changed: ['note', 'amount_ml'] } },
  ]);
});

/** Stores the watering e1 as another device has changed it. */
async function changeElsewhere(db: DeviceDb, changes: Partial<JournalEntry>): Promise<void> {
  await db.journal.put(journalRow({ version: 2, entries: [journalEntry(changes)] }));
}

test('undoing an edit restores only the fields that it changed', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  const change = { ...entry, note: 'Rain water' };
  await editEntry(db, 'p1', entry, change, now);
  await db.outbox.clear();
  await changeElsewhere(db, { note: 'Rain water', amount_ml: 300 });
  await undoEdit(db, 'p1', entry, change, now);
  expect(await db.outbox.toArray()).toMatchObject([{ entry: { note: null, changed: ['note'] } }]);
  expect(await shown(db, 'e1')).toMatchObject({ note: null, amount_ml: 300 });
});

test('undoing a removal keeps what another device has changed since', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, { ...entry, note: 'Rain water' }, now);
  const edited = await shown(db, 'e1');
  await removeEntry(db, 'p1', edited, now);
  await changeElsewhere(db, { amount_ml: 300 });
  await undoRemoval(db, 'p1', edited, now);
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'edit_entry', entry: { note: 'Rain water', changed: ['note'] } },
  ]);
  expect(await shown(db, 'e1')).toMatchObject({ note: 'Rain water', amount_ml: 300 });
});

test('moving a watering moves the date of the last watering, and moving it back restores the dates of the plant', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  const moved = { at: entry.at - dayMs, note: null, amount_ml: null };
  await editEntry(db, 'p1', entry, moved, now);
  expect((await record(db))?.last_watered).toBe('2026-10-31T08:00:00.000Z');
  await editEntry(db, 'p1', await shown(db, 'e1'), entry, now);
  expect(await record(db)).toEqual(plantRecord());
  expect(await ops(db)).toEqual(['edit_entry']);
});

test('removing the newest watering makes the previous one the last, until the removal is undone', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await removeEntry(db, 'p1', entry, now);
  expect((await readJournal(db, 'p1')).entries.map(({ id }) => id)).toEqual(['e0']);
  expect((await record(db))?.last_watered).toBe('2026-10-28T08:00:00.000Z');
  expect((await db.outbox.toArray())[0]?.undoUntil).toBe(now + undoMs);
  await undoRemoval(db, 'p1', entry, now + 1_000);
  expect(await ops(db)).toEqual([]);
  expect(await record(db)).toEqual(plantRecord());
});

test('undoing a removal restores an edit that was pending', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, { at: entry.at, note: 'Rain water', amount_ml: null }, now);
  const edited = await shown(db, 'e1');
  await removeEntry(db, 'p1', edited, now);
  expect(await ops(db)).toEqual(['remove_entry']);
  await undoRemoval(db, 'p1', edited, now);
  expect(await ops(db)).toEqual(['edit_entry']);
  expect((await shown(db, 'e1')).note).toBe('Rain water');
});

test('undoing the removal of an entry that is not stored on the device restores an edit that was pending', async () => {
  const db = await dbWithJournal();
  const [older] = applyEntryOps([journalEntry({ id: 'old', at: '2026-08-01T08:00:00.000Z' })], []);
  assert(older);
  await removeEntry(db, 'p1', older, now);
  await undoRemoval(db, 'p1', older, now);
  expect(await ops(db)).toEqual([]);

  const change = { at: older.at, note: 'Rain water', amount_ml: null };
  await editEntry(db, 'p1', older, change, now);
  const edited = { ...older, ...change, state: 'waiting' as const };
  await removeEntry(db, 'p1', edited, now);
  expect(await ops(db)).toEqual(['remove_entry']);
  await undoRemoval(db, 'p1', edited, now);
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'edit_entry', entry: { id: 'old', note: 'Rain water', isServerTime: true } },
  ]);
});

test.each<[what: string, add: (db: DeviceDb) => Promise<string>]>([
  ['entry', (db) => addEntry(db, 'p1', { ...watered, at: now, note: 'A' }, now)],
  ['tap on Water Now', (db) => addWatering(db, 'p1', now)],
])(
  'an unsent %s is edited in place, removed without leaving an op, and restored by an undo',
  async (_, add) => {
    const db = await dbWithJournal();
    const id = await add(db);
    await editEntry(
      db,
      'p1',
      await shown(db, id),
      { at: now - dayMs, note: 'B', amount_ml: 5 },
      now,
    );
    expect(await ops(db)).toEqual(['add_entry']);
    const edited = await shown(db, id);
    expect(edited).toMatchObject({ type: 'watered', at: now - dayMs, note: 'B', amount_ml: 5 });
    await removeEntry(db, 'p1', edited, now);
    expect(await ops(db)).toEqual([]);
    expect(await record(db)).toEqual(plantRecord());
    await undoRemoval(db, 'p1', edited, now);
    expect((await readJournal(db, 'p1')).entries[0]).toMatchObject({ at: now - dayMs, note: 'B' });
  },
);

test('undoing the removal of an unsent entry restores its unsent photos', async () => {
  const db = await dbWithJournal();
  const entryId = await addEntry(db, 'p1', { ...watered, at: now, note: 'A' }, now);
  const bytes = new ArrayBuffer(1);
  const photo = { full: bytes, small: bytes, width: 4, height: 3, takenAt: now, entryId };
  await addPhotos(db, 'p1', [photo, { ...photo, entryId: 'e1' }], now);
  const entry = await shown(db, entryId);
  await removeEntry(db, 'p1', entry, now);
  await undoRemoval(db, 'p1', entry, now);
  const { entries, photos } = await readJournal(db, 'p1');
  const again = entries.find(({ note }) => note === 'A');
  expect(photos.map((one) => one.entry_id).sort()).toEqual([again?.id, 'e1'].sort());
});

test('undoing a removal that was sent adds the entry again, at its own moment', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await db.journal.put(journalRow({ version: 2, entries: [] }));
  await undoRemoval(db, 'p1', entry, now);
  const [op] = await db.outbox.toArray();
  expect(op).toMatchObject({
    type: 'add_entry',
    entry: { type: 'watered', at: entry.at, isServerTime: true },
  });
  expect(op?.entry?.id).not.toBe('e1');
});

test('a removal that is undone twice restores one entry', async () => {
  const db = await dbWithJournal();
  const entry = await shown(db, 'e1');
  await removeEntry(db, 'p1', entry, now);
  await undoRemoval(db, 'p1', entry, now);
  await undoRemoval(db, 'p1', entry, now);
  expect(await ops(db)).toEqual([]);
});

test('an entry of the pump cannot be edited or removed', async () => {
  const db = await dbWithJournal();
  await db.journal.put(journalRow({ entries: [journalEntry({ source: 'auto' })] }));
  const entry = await shown(db, 'e1');
  await editEntry(db, 'p1', entry, { at: now, note: 'A', amount_ml: null }, now);
  await removeEntry(db, 'p1', entry, now);
  expect(await ops(db)).toEqual([]);
});

test('a snooze moves the next date, and removing it restores the date of the previous snooze', async () => {
  const db = await dbWithJournal();
  const snooze = { type: 'snoozed', ...plain } as const;
  await addEntry(db, 'p1', { ...snooze, at: now, days: 2 }, now);
  const later = await addEntry(db, 'p1', { ...snooze, at: now + 1, days: 7 }, now + 1);
  expect((await record(db))?.next_watering_date).toBe('2026-11-27T08:00:00.001Z');
  await removeEntry(db, 'p1', await shown(db, later), now + 2);
  expect((await record(db))?.next_watering_date).toBe('2026-11-22T08:00:00.000Z');
});

test('a plant that was made on this device has a journal under its local id', async () => {
  const db = await dbWithJournal();
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  const id = await addEntry(db, 'local-1', { ...plain, type: 'note', note: 'A', at: now }, now);
  const { entries, isStored } = await readJournal(db, 'local-1');
  expect(isStored).toBe(true);
  expect(entries.map((entry) => entry.id)).toEqual([id, 'e1', 'e0']);
});
