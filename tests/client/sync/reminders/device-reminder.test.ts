import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test } from 'vitest';
import { changePlant, deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { saveBackgroundToken } from '#client/sync/background/background.ts';
import { answerReminder, answerState } from '#client/sync/reminders/answer.ts';
import { deviceReminder, isForThisDevice } from '#client/sync/reminders/device-reminder.ts';
import { type Reminder, withoutNames } from '#client/sync/reminders/reminder.ts';
import { plantRecord, plantRow } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-23T02:00:00Z');
const names = ['Monty', 'Fern', 'Basil'];
const idOf = (name: string) => name.toLowerCase();

let db: DeviceDb;
beforeEach(async () => {
  db = freshDb();
  const records = names.map((name) => plantRecord({ id: idOf(name), nickname: name }));
  await db.plants.bulkPut(records.map((record) => plantRow(record)));
  await saveBackgroundToken(db, 'a.b.c');
});

/** A digest of these plants, of which the first `badge` are due today. */
function digest(badge = names.length, changes: Partial<Reminder> = {}): Reminder {
  return {
    title: '3 plants need water',
    body: 'Monty, Fern and Basil',
    tag: 'due-2026-11-23',
    path: '/dashboard/schedule',
    badge,
    kind: 'digest',
    account: db.name,
    plants: names.map((name) => ({ id: idOf(name), name })),
    ...changes,
  };
}

test('a digest of plants that nobody watered is shown as it was sent, with a button', async () => {
  const reminder = digest();
  expect(await deviceReminder(reminder, now)).toEqual({ reminder, canWater: true });
});

test('a plant with an unsent watering on this device is left out of title, text and badge', async () => {
  await addWatering(db, 'monty', now - 60_000);
  expect(await deviceReminder(digest(), now)).toMatchObject({
    reminder: { title: '2 plants need water', body: 'Fern and Basil', badge: 2 },
    canWater: true,
  });
});

test('a deleted plant is left out; an edited plant is not, nor one whose unsent watering is so old that it is due again', async () => {
  await deletePlant(db, 'fern', now);
  await changePlant(db, 'monty', { edits: { location: 'Hall' }, base: {} }, now);
  // Due every 3 days.
  await addWatering(db, 'basil', now - 4 * 86_400_000);
  const { reminder } = await deviceReminder(digest(), now);
  expect(reminder.plants.map(({ name }) => name)).toEqual(['Monty', 'Basil']);
});

test('if only plants that are due soon are left, the title says so', async () => {
  await addWatering(db, 'monty', now);
  await addWatering(db, 'fern', now);
  expect(await deviceReminder(digest(2), now)).toMatchObject({
    reminder: { title: 'Basil needs water soon', badge: 0 },
    canWater: false,
  });
});

test('a digest of plants that are only due soon has no button', async () => {
  const reminder = digest(0, { soon_count: 3 });
  expect(await deviceReminder(reminder, now)).toEqual({ reminder, canWater: false });
});

test('an answer waters only the plants that are due, not those that are due soon', async () => {
  await answerReminder(digest(2, { soon_count: 1 }), { id: 'n1' }, now);
  expect((await db.outbox.toArray()).map(({ entity }) => entity)).toEqual(['monty', 'fern']);
});

test('an answer to a digest of plants that are only due soon, to which an older version gave a button, waters them', async () => {
  await answerReminder(digest(0), { id: 'n1' }, now);
  expect(await db.outbox.count()).toBe(3);
});

test('a plant that is left out is counted neither as due nor as due soon, also if not all plants that are due soon are listed', async () => {
  await addWatering(db, 'monty', now);
  expect(await deviceReminder(digest(2, { soon_count: 90 }), now)).toMatchObject({
    reminder: { title: '1 plant needs water, 90 soon', badge: 1, soon_count: 90 },
    canWater: true,
  });
  await addWatering(db, 'basil', now);
  expect(await deviceReminder(digest(2, { soon_count: 90 }), now)).toMatchObject({
    reminder: { title: '1 plant needs water, 89 soon', body: 'Fern', badge: 1, soon_count: 89 },
    canWater: true,
  });
});

test('if all plants were watered here, the reminder says that the changes wait to be sent, and has no button', async () => {
  for (const name of names) await addWatering(db, idOf(name), now);
  expect(await deviceReminder(digest(), now)).toMatchObject({
    reminder: {
      title: 'Nothing to water',
      body: 'These plants are no longer due. Changes are waiting to be sent.',
      badge: 0,
    },
    canWater: false,
  });
});

describe('a digest that arrives after the device has received newer data', () => {
  const madeAt = now - 3_600_000;
  const dayEnd = now + 15 * 3_600_000;
  const late = () => digest(names.length, { made_at: madeAt, due_before: dayEnd });
  /** Stores Monty as fetched `afterMs` after the digest was made, and due again at `nextWatering`. */
  const receive = (afterMs: number, nextWatering = new Date(dayEnd)) => {
    const changes = { id: 'monty', nickname: 'Monty' };
    const record = plantRecord({ ...changes, next_watering_date: nextWatering.toISOString() });
    return db.plants.put({ ...plantRow(record), fetchedAt: madeAt + afterMs });
  };
  const shownNames = async (reminder: Reminder) =>
    (await deviceReminder(reminder, now)).reminder.plants.map(({ name }) => name);

  test('leaves out a plant that is no longer due on that day according to newer data', async () => {
    await receive(1);
    expect(await deviceReminder(late(), now)).toMatchObject({
      reminder: { title: '2 plants need water', body: 'Fern and Basil', badge: 2 },
    });
  });

  test('shows a plant that is due later on the same day, or whose data is not newer than the digest', async () => {
    await receive(1, new Date(dayEnd - 1));
    expect(await shownNames(late())).toEqual(names);
    await receive(0);
    expect(await shownNames(late())).toEqual(names);
  });

  test('compares the time of its data with that of the digest by the clock of the server', async () => {
    await receive(1);
    await db.meta.put({ id: 'clock-offset-ms', value: -60_000 });
    expect(await shownNames(late())).toEqual(names);
  });

  test('shows a plant that is only due soon', async () => {
    await receive(1);
    const soon = late();
    soon.plants.push(...soon.plants.splice(0, 1));
    expect(await shownNames({ ...soon, badge: 2 })).toEqual(['Fern', 'Basil', 'Monty']);
  });

  test('says that there is nothing to water, and mentions waiting only if a change is unsent', async () => {
    await receive(1);
    const ofMonty = { ...late(), plants: late().plants.slice(0, 1), badge: 1 };
    expect((await deviceReminder(ofMonty, now)).reminder).toMatchObject({
      title: 'Nothing to water',
      body: 'These plants are no longer due.',
    });
    await addWatering(db, 'fern', now);
    const ofTwo = { ...late(), plants: late().plants.slice(0, 2), badge: 2 };
    expect((await deviceReminder(ofTwo, now)).reminder).toMatchObject({
      title: 'Nothing to water',
      body: 'These plants are no longer due. Changes are waiting to be sent.',
    });
  });

  test('leaves out a plant that was deleted, due or due soon, once this device has pulled', async () => {
    await db.plants.bulkDelete(['monty', 'basil']);
    await db.syncState.put({ ...initialStatus, pulledAt: madeAt });
    expect(await shownNames({ ...late(), badge: 2 })).toEqual(names);
    await db.syncState.put({ ...initialStatus, pulledAt: madeAt + 1 });
    expect(await shownNames({ ...late(), badge: 2 })).toEqual(['Fern']);
  });

  test('is shown as it was sent if it does not contain the time at which it was made', async () => {
    await receive(1);
    expect(await shownNames(digest())).toEqual(names);
  });
});

test('a digest that does not list all of its due plants is shown as it was sent, without a button', async () => {
  await addWatering(db, 'monty', now);
  const reminder = digest(90);
  expect(await deviceReminder(reminder, now)).toEqual({ reminder, canWater: false });
});

test('without a remembered session there is no button, and an answer writes nothing', async () => {
  await db.meta.clear();
  expect(await deviceReminder(digest(), now)).toMatchObject({ canWater: false });
  expect(await answerReminder(digest(), { id: 'n1' }, now)).toEqual({ type: 'impossible' });
  expect(await db.outbox.count()).toBe(0);
});

test('a digest of an account without a database here makes no database, and cannot be answered', async () => {
  const reminder = digest(3, { account: 'sprig-other' });
  expect(await deviceReminder(reminder, now)).toEqual({ reminder, canWater: false });
  expect(await answerReminder(reminder, { id: 'n1' }, now)).toEqual({ type: 'impossible' });
  expect(await Dexie.exists('sprig-other')).toBe(false);
  expect(await db.outbox.count()).toBe(0);
});

test('names are shown only for an account with a database here', async () => {
  for (const kind of ['digest', 'alert'] as const) {
    expect(await isForThisDevice(digest(3, { kind }))).toBe(true);
    const other = digest(3, { kind, account: 'sprig-other' });
    expect(await isForThisDevice(other)).toBe(false);
    expect(JSON.stringify(withoutNames(other))).not.toMatch(/Monty|Fern|Basil|sprig-other/);
    expect(withoutNames(other)).toMatchObject({ tag: other.tag, badge: null, plants: [] });
  }
  // Notices of these kinds contain no names of plants.
  expect(await isForThisDevice(digest(3, { kind: 'test', account: 'sprig-other' }))).toBe(true);
  expect(await isForThisDevice(digest(3, { kind: null, account: '' }))).toBe(true);
});

test.each(['alert', 'test'] as const)(
  'a reminder of kind %s is shown as it was sent',
  async (kind) => {
    const reminder = digest(3, { kind });
    await addWatering(db, 'monty', now);
    expect(await deviceReminder(reminder, now)).toEqual({ reminder, canWater: false });
  },
);

test('an answer that is delivered several times is stored once', async () => {
  const results = await Promise.all([
    answerReminder(digest(), { id: 'n1' }, now),
    answerReminder(digest(), { id: 'n1' }, now + 5),
  ]);
  const ops = await db.outbox.toArray();
  expect(ops.map(({ entity }) => entity)).toEqual(names.map(idOf));
  // Sent, and confirmed by the server.
  await db.outbox.clear();
  results.push(await answerReminder(digest(), { id: 'n1' }, now + 9_000));
  expect(results.map(({ type }) => type).sort()).toEqual(['known', 'known', 'stored']);
  // The notification names the plants whichever answer updates it.
  const { plants } = digest();
  for (const result of results) expect(result).toMatchObject({ plants });
  expect(await db.outbox.count()).toBe(0);
});

test('an answer is recorded like taps on Water Now: merged with an unsent watering, and without time for an undo', async () => {
  await addWatering(db, 'monty', now - 60_000);
  await answerReminder(digest(), { id: 'n1' }, now);
  const ops = await db.outbox.toArray();
  expect(ops.map(({ entity, type, occurredAt }) => [entity, type, occurredAt])).toEqual([
    ['monty', 'water', now - 60_000],
    ['fern', 'water', now],
    ['basil', 'water', now],
  ]);
  expect(ops.every(({ undoUntil }) => undoUntil === undefined)).toBe(true);
  expect(await answerState(digest())).toMatchObject({ isSent: false });
  await db.outbox.clear();
  expect(await answerState(digest())).toMatchObject({ isSent: true });
});

test('an answer waters a plant that this device has not fetched yet, and the op contains its id and its name from the reminder', async () => {
  const plants = [{ id: 'new', name: 'Newcomer' }];
  await answerReminder(digest(1, { plants }), { id: 'n1' }, now);
  expect(await db.outbox.toArray()).toMatchObject([
    { entity: 'new', base: { nickname: 'Newcomer' } },
  ]);
});
