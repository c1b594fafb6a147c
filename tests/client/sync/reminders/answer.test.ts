import { beforeEach, describe, expect, test } from 'vitest';
import { clockOffsetId } from '#client/store/meta.ts';
import { restoreAsNew } from '#client/store/outbox/decisions.ts';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering, addWaterings } from '#client/store/outbox/waterings.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { saveBackgroundToken } from '#client/sync/background/background.ts';
import { answeredTexts, answerReminder, answerState } from '#client/sync/reminders/answer.ts';
import type { Reminder } from '#client/sync/reminders/reminder.ts';
import {
  journalEntry,
  journalRow,
  opRow,
  plantRecord,
  plantRow,
} from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const hourMs = 3_600_000;
const shownAt = Date.parse('2026-11-23T02:00:00Z');
const now = shownAt + 8 * hourMs;
const plants = [
  { id: 'monty', name: 'Monty' },
  { id: 'fern', name: 'Fern' },
];

let db: DeviceDb;
beforeEach(async () => {
  db = freshDb();
  await putPlant('monty');
  await putPlant('fern');
  await saveBackgroundToken(db, 'a.b.c');
});

async function putPlant(id: string, wateredAt = shownAt - 72 * hourMs): Promise<void> {
  const last_watered = new Date(wateredAt).toISOString();
  await db.plants.put(plantRow(plantRecord({ id, last_watered })));
}

const reminder = (changes: Partial<Reminder> = {}): Reminder => ({
  title: '2 plants need water',
  body: 'Monty and Fern',
  tag: 'due-2026-11-23',
  path: '/dashboard/schedule',
  badge: 2,
  kind: 'digest',
  account: db.name,
  plants,
  ...changes,
});

const answer = (change: { id?: string; shownAt?: number } = { shownAt }) =>
  answerReminder(reminder(), { id: 'n1', ...change }, now);

/** The plants with a watering in the outbox whose time is that of the answer. */
async function watered(): Promise<string[]> {
  const ops = await db.outbox.toArray();
  return ops.filter(({ occurredAt }) => occurredAt === now).map(({ entity }) => entity);
}

test('a plant that was watered after the notification was shown is not watered again', async () => {
  await putPlant('monty', shownAt + hourMs);
  expect(await answer()).toEqual({ type: 'stored', plants });
  expect(await watered()).toEqual(['fern']);
});

test('an answer does not water a plant whose watering waits to be sent, but waters one whose watering was rejected', async () => {
  await addWatering(db, 'monty', shownAt + hourMs);
  await db.outbox.add(
    opRow({ seq: 9, entity: 'fern', type: 'water', occurredAt: now - 1, state: 'rejected' }),
  );
  await answer();
  expect(await watered()).toEqual(['fern']);
});

test('answering the digests of two days one after the other waters each plant once', async () => {
  await answer({ id: 'monday', shownAt: shownAt - 24 * hourMs });
  // Sent, and confirmed by the server.
  await db.outbox.clear();
  await putPlant('monty', now);
  await putPlant('fern', now);
  expect(await answer({ id: 'tuesday', shownAt })).toEqual({ type: 'stored', plants });
  expect(await db.outbox.count()).toBe(0);
});

test('a plant that was watered before the notification was shown is watered again', async () => {
  await putPlant('monty', shownAt - 1_000);
  await answer();
  expect(await watered()).toEqual(['monty', 'fern']);
});

test.each([
  ['ahead', -2 * hourMs],
  ['behind', 2 * hourMs],
])(
  'plants that were watered after the notification are recognized even if the clock of the device is %s',
  async (_, offset) => {
    await db.meta.put({ id: clockOffsetId, value: offset });
    await putPlant('monty', shownAt + offset + hourMs);
    await putPlant('fern', shownAt + offset - hourMs);
    await answer();
    expect(await watered()).toEqual(['fern']);
  },
);

test.each(['queued', 'rejected'] as const)(
  'a watering whose note has a %s edit is still compared by its server time',
  async (state) => {
    const offset = 2 * hourMs;
    await db.meta.put({ id: clockOffsetId, value: offset });
    const at = shownAt + offset - hourMs;
    await putPlant('monty', at);
    const entry = { id: 'e1', type: 'watered', at, amount_ml: null, days: null } as const;
    const entries = [journalEntry({ at: new Date(at).toISOString() })];
    await db.journal.put(journalRow({ plantId: 'monty', entries }));
    const edited = { ...entry, note: 'With rain water', isServerTime: true } as const;
    await db.outbox.add(opRow({ entity: 'monty', type: 'edit_entry', entry: edited, state }));
    await answer();
    expect(await watered()).toEqual(['monty', 'fern']);
  },
);

test('when a reminder is answered, a watering of its plant that could still be undone becomes final', async () => {
  await addWaterings(db, ['monty'], now - 1_000);
  await answer();
  const ops = await db.outbox.toArray();
  expect(ops.map(({ entity, undoUntil }) => [entity, undoUntil])).toEqual([
    ['monty', undefined],
    ['fern', undefined],
  ]);
});

test('an answer waters all plants if the notification does not contain when it was shown', async () => {
  // Notifications of older app versions lack the time.
  await putPlant('monty', shownAt + hourMs);
  await answer({});
  expect(await watered()).toEqual(['monty', 'fern']);
});

describe('an answer does not water', () => {
  const madeAt = shownAt - 1_000;
  const dayEnd = shownAt + 15 * hourMs;
  const digest = () => reminder({ made_at: madeAt, due_before: dayEnd });
  const answerDigest = () => answerReminder(digest(), { id: 'n1', shownAt }, now);
  const onlyFern = { type: 'stored', plants: plants.slice(1) };
  const pullAt = (at: number) => db.syncState.put({ ...initialStatus, pulledAt: at });

  test('a plant with an unsent snooze', async () => {
    const snooze = { id: 'e1', type: 'snoozed', at: now - hourMs, days: 2 } as const;
    const entry = { ...snooze, note: null, amount_ml: null };
    await db.outbox.add(opRow({ entity: 'monty', type: 'add_entry', entry }));
    expect(await answerDigest()).toEqual(onlyFern);
    expect(await watered()).toEqual(['fern']);
  });

  test('a plant that is due on a later day according to data that is newer than the digest', async () => {
    const next_watering_date = new Date(dayEnd).toISOString();
    const later = plantRow(plantRecord({ id: 'monty', next_watering_date }));
    await db.plants.put({ ...later, fetchedAt: madeAt });
    await answerDigest();
    expect(await watered()).toEqual(['monty', 'fern']);
    await db.outbox.clear();
    await db.plants.put({ ...later, fetchedAt: madeAt + 1 });
    expect(await answerReminder(digest(), { id: 'n2', shownAt }, now)).toEqual(onlyFern);
    expect(await watered()).toEqual(['fern']);
  });

  test('a plant that was deleted on another device, or here without a response yet', async () => {
    await db.plants.delete('monty');
    await pullAt(madeAt + 1);
    await deletePlant(db, 'fern', now - 1);
    expect(await answerDigest()).toEqual({ type: 'stored', plants: [] });
    expect(await watered()).toEqual([]);
  });

  test.each([
    ['this device has not pulled since', madeAt, []],
    [
      'it may be the result of a create whose response was lost',
      madeAt + 1,
      [opRow({ seq: 9, entity: 'local-1', type: 'create', state: 'uncertain' })],
    ],
  ])('a plant without a row, except if %s', async (_, pulledAt, ops) => {
    await db.plants.delete('monty');
    await pullAt(pulledAt);
    await db.outbox.bulkAdd(ops);
    await answerDigest();
    expect(await watered()).toEqual(['monty', 'fern']);
  });
});

test('a plant that was deleted after an answer is restored with its own name, not with the one in the notification', async () => {
  const nickname = 'Monty, the tall one at the window of the kitchen';
  await db.plants.put(plantRow(plantRecord({ id: 'monty', nickname })));
  await answer();
  await db.plants.delete('monty');
  const op = await db.outbox.where('entity').equals('monty').first();
  await db.outbox.update(op?.seq ?? 0, { state: 'rejected' });
  const entity = await restoreAsNew(db, op?.opId ?? '', now);
  const restored = await db.outbox
    .where('entity')
    .equals(entity ?? '')
    .toArray();
  expect(restored.find(({ type }) => type === 'create')?.edits.nickname).toBe(nickname);
});

test('the name in a notification does not replace that of an earlier change of a plant without a row', async () => {
  await db.plants.delete('monty');
  const base = { nickname: 'Monty the first' };
  await db.outbox.add(opRow({ seq: 9, entity: 'monty', type: 'update', base, state: 'rejected' }));
  await answer();
  const ops = await db.outbox.where('entity').equals('monty').toArray();
  expect(ops.map((op) => op.base.nickname)).toEqual(['Monty the first', undefined]);
});

const state = async () => answerState({ account: db.name, plants }, shownAt);

test('an answer counts as sent once no op waits, even if the server rejected another change', async () => {
  const rejected = { seq: 9, entity: 'fern', state: 'rejected' } as const;
  await db.outbox.add(opRow({ ...rejected, type: 'update' }));
  expect(await state()).toEqual({ isSent: true, rejected: [] });
  await answer();
  expect(await state()).toEqual({ isSent: false, rejected: [] });
});

test('an answer whose watering was rejected does not count as sent, and its notification says so', async () => {
  await answer();
  await db.outbox.where('entity').equals('fern').modify({ state: 'rejected' });
  await db.outbox.where('entity').equals('monty').delete();
  expect(await state()).toEqual({ isSent: false, rejected: plants.slice(1) });
  expect(answeredTexts({ plants }, await state())).toEqual({
    title: 'Watering not saved',
    body: 'Fern. Open Sprig to see why.',
  });
});

test('a watering that was rejected before the notification was shown does not keep an answer from counting as sent', async () => {
  const rejected = { seq: 9, entity: 'fern', state: 'rejected' } as const;
  await db.outbox.add(opRow({ ...rejected, type: 'water', occurredAt: shownAt - 1 }));
  expect(await state()).toEqual({ isSent: true, rejected: [] });
});

test('a rejected watering of a plant that was made on this device is reported too', async () => {
  await db.idmap.add({ localId: 'local-1', serverId: 'fern' });
  await addWatering(db, 'local-1', now - 1);
  expect(await answer()).toEqual({ type: 'stored', plants });
  await db.outbox.where('entity').equals('monty').delete();
  await db.outbox.toCollection().modify({ state: 'rejected' });
  expect(await state()).toEqual({ isSent: false, rejected: plants.slice(1) });
});
