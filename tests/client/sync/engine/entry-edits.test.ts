import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EntryChange } from '#client/store/journal/changed-fields.ts';
import { readJournal } from '#client/store/journal/journal.ts';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { readChanges } from '#client/store/outbox/changes.ts';
import { retryOp } from '#client/store/outbox/decisions.ts';
import { editEntry, removeEntry, undoEdit, undoRemoval } from '#client/store/outbox/entries.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { type Device, openDevice } from '../../../support/device/device.ts';
import { fixedResponse, lostRequest, lostResponse } from '../../../support/device/network.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
const hourMs = 3_600_000;
/** A time whose seconds no form shows. */
const at = Math.floor(Date.now() / hourMs) * hourMs - 24 * hourMs + 42_123;
const first: EntryChange = { at, note: 'Tap water', amount_ml: 100 };
const entryId = randomUUID();

let plantId: string;
let phone: Device;
let tablet: Device;

/** Both devices have the plant and its only entry, a watering. */
beforeEach(async () => {
  plantId = (await addPlant(engine.server, engine.account)).id;
  phone = engine.device;
  tablet = openDevice(engine.server, engine.account);
  const entry = { id: entryId, type: 'watered', ...first, at: new Date(at).toISOString() };
  await engine.elsewhere('POST', `/api/plants/${plantId}/journal`, entry);
  await phone.pull();
  await tablet.pull();
  phone.network.sent.length = 0;
});
afterEach(() => tablet.close());

async function shownOn({ db }: Device): Promise<ShownEntry> {
  const [entry] = (await readJournal(db, plantId)).entries;
  if (!entry) throw new Error('not shown');
  return entry;
}

/** Edits the entry as a person who sees what the device shows. Resolves to the entry before the edit. */
async function edit(device: Device, change: Partial<EntryChange>): Promise<ShownEntry> {
  const shown = await shownOn(device);
  await editEntry(device.db, plantId, shown, { ...shown, ...change }, device.now());
  return shown;
}

async function editOnline(device: Device, change: Partial<EntryChange>): Promise<void> {
  await edit(device, change);
  await device.push();
}

/** Ends the waits after failed attempts, and sends the outbox. */
async function pushAgain(device: Device): Promise<void> {
  await device.db.outbox.toCollection().modify({ nextAt: 0 });
  await device.push();
}

/** Both devices show the entry with these values, and nothing waits. */
async function expectEverywhere(values: Partial<EntryChange>): Promise<void> {
  for (const device of [phone, tablet]) {
    await device.pull();
    expect(await shownOn(device)).toMatchObject({ ...first, ...values, state: 'saved' });
    expect(await device.db.outbox.count()).toBe(0);
  }
}

test.each<[what: string, mine: Partial<EntryChange>, theirs: Partial<EntryChange>]>([
  ['the note', { note: 'Rain water' }, { at: at - hourMs, amount_ml: 300 }],
  ['the time', { at: at - 2 * hourMs }, { note: 'With fertilizer', amount_ml: 300 }],
  ['the amount', { amount_ml: 250 }, { at: at - hourMs, note: 'With fertilizer' }],
  ['a note that is cleared', { note: null }, { amount_ml: 300 }],
  ['an amount that is cleared', { amount_ml: null }, { note: null }],
])(
  'an edit of %s that was made without a network keeps what another device changes meanwhile',
  async (_, mine, theirs) => {
    await edit(phone, mine);
    await editOnline(tablet, theirs);
    await phone.push();
    await expectEverywhere({ ...theirs, ...mine });
  },
);

test('while an edit waits, the entry and the plant are shown with what another device has changed since', async () => {
  await edit(phone, { note: 'Rain water' });
  await editOnline(tablet, { at: at - hourMs, amount_ml: 300 });
  await phone.pull();
  expect(await shownOn(phone)).toMatchObject({
    at: at - hourMs,
    note: 'Rain water',
    amount_ml: 300,
    state: 'waiting',
  });
  const { record } = (await phone.plant(plantId)) ?? {};
  expect(record?.last_watered).toBe(new Date(at - hourMs).toISOString());
});

test('the later of two edits of the same field wins', async () => {
  await edit(phone, { note: 'Rain water' });
  await editOnline(tablet, { note: 'With fertilizer' });
  await phone.push();
  await expectEverywhere({ note: 'Rain water' });
});

test('two edits of an entry without a network are sent as one, and keep what another device changes meanwhile', async () => {
  await edit(phone, { note: 'Rain water' });
  await edit(phone, { amount_ml: 250 });
  await editOnline(tablet, { at: at - hourMs, amount_ml: 300 });
  await phone.push();
  expect(phone.network.sent.map(({ method, body }) => [method, JSON.parse(body ?? '')])).toEqual([
    ['PUT', { note: 'Rain water', amount_ml: 250 }],
  ]);
  await expectEverywhere({ at: at - hourMs, note: 'Rain water', amount_ml: 250 });
});

test.each([
  ['request', lostRequest],
  ['response', lostResponse],
])(
  'two edits of an entry survive if the %s of the first is lost, with what another device changes meanwhile',
  async (_, fault) => {
    phone.network.failNext(/PUT/, fault);
    await editOnline(phone, { note: 'Rain water' });
    await edit(phone, { amount_ml: 250 });
    await editOnline(tablet, { at: at - hourMs });
    await pushAgain(phone);
    await expectEverywhere({ at: at - hourMs, note: 'Rain water', amount_ml: 250 });
  },
);

test('an edit after one that was rejected sends the fields of both', async () => {
  phone.network.failNext(/PUT/, fixedResponse(422, { message: 'No' }));
  await editOnline(phone, { note: 'Rain water' });
  expect(await shownOn(phone)).toMatchObject({ note: 'Rain water', state: 'rejected' });
  await editOnline(tablet, { at: at - hourMs });
  await editOnline(phone, { amount_ml: 250 });
  await expectEverywhere({ at: at - hourMs, note: 'Rain water', amount_ml: 250 });
});

test('a rejected edit that is sent again keeps what another device has changed since', async () => {
  phone.network.failNext(/PUT/, fixedResponse(422, { message: 'No' }));
  await editOnline(phone, { note: 'Rain water' });
  await editOnline(tablet, { amount_ml: 300 });
  const [change] = (await readChanges(phone.db)).changes;
  expect(change).toMatchObject({ type: 'edit_entry', state: 'rejected' });
  await retryOp(phone.db, change?.opId ?? '');
  await phone.push();
  await expectEverywhere({ note: 'Rain water', amount_ml: 300 });
});

test('undoing an edit that was sent keeps what another device has changed since', async () => {
  const change = { ...(await shownOn(phone)), note: 'Rain water' };
  const before = await edit(phone, change);
  await phone.push();
  await editOnline(tablet, { at: at - hourMs, amount_ml: 300 });
  await undoEdit(phone.db, plantId, before, change, phone.now());
  await phone.push();
  await expectEverywhere({ at: at - hourMs, amount_ml: 300 });
});

test('an edit that was undone before it was sent overwrites nothing that another device has changed since', async () => {
  const change = { ...(await shownOn(phone)), note: 'Rain water' };
  const before = await edit(phone, change);
  await editOnline(tablet, { note: 'With fertilizer' });
  await undoEdit(phone.db, plantId, before, change, phone.now());
  expect((await shownOn(phone)).state).toBe('saved');
  await phone.push();
  await expectEverywhere({ note: 'With fertilizer' });
});

test('undoing one of two edits that are not sent yet keeps the other', async () => {
  await edit(phone, { amount_ml: 250 });
  const change = { ...(await shownOn(phone)), note: 'Rain water' };
  const before = await edit(phone, change);
  await undoEdit(phone.db, plantId, before, change, phone.now());
  await phone.push();
  await expectEverywhere({ amount_ml: 250 });
});

test('undoing a removal restores an edit that was not sent yet, and keeps what another device has changed since', async () => {
  await edit(phone, { note: 'Rain water' });
  const edited = await shownOn(phone);
  await removeEntry(phone.db, plantId, edited, phone.now());
  await editOnline(tablet, { amount_ml: 300 });
  await phone.pull();
  await undoRemoval(phone.db, plantId, edited, phone.now());
  await phone.push();
  await expectEverywhere({ note: 'Rain water', amount_ml: 300 });
});

/** The outbox as an earlier version of the app has stored it: an edit had no list of its fields. */
async function withoutFieldLists({ db }: Device): Promise<void> {
  await db.outbox.toCollection().modify((op: Op) => {
    delete op.entry?.changed;
  });
}

test('an edit that an earlier version of the app has stored sends all fields', async () => {
  await edit(phone, { note: 'Rain water' });
  await withoutFieldLists(phone);
  await editOnline(tablet, { amount_ml: 300 });
  await phone.push();
  expect(JSON.parse(phone.network.sent.at(-1)?.body ?? '')).toEqual({
    at: new Date(at).toISOString(),
    note: 'Rain water',
    amount_ml: 100,
  });
  await expectEverywhere({ note: 'Rain water' });
});

test('an edit that is coalesced into one of an earlier version of the app sends all fields too', async () => {
  await edit(phone, { note: 'Rain water' });
  await withoutFieldLists(phone);
  await editOnline(phone, { amount_ml: 250 });
  await expectEverywhere({ note: 'Rain water', amount_ml: 250 });
});
