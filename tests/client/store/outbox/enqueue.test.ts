import { expect, test } from 'vitest';
import { enqueue, onOpAdded } from '#client/store/outbox/enqueue.ts';
import { newOp, type Op } from '#client/store/outbox/op.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T08:00:00Z');

function opOf(type: Op['type'], opId: string, more: Partial<Op> = {}) {
  return newOp({ opId, entity: 'p1', type, occurredAt: now, ...more });
}

async function queueOf(db: DeviceDb): Promise<string[]> {
  return (await db.outbox.toArray()).map(({ type, opId }) => `${type} ${opId}`);
}

test('ops are stored in order, each under the id that enqueue returns', async () => {
  const db = freshDb();
  expect(await enqueue(db, opOf('update', 'a', { edits: { nickname: 'B' } }))).toBe('a');
  expect(await enqueue(db, opOf('water', 'b'))).toBe('b');
  expect(await enqueue(db, opOf('water', 'c', { entity: 'p2' }))).toBe('c');
  expect(await db.outbox.toArray()).toEqual([
    { seq: 1, ...opOf('update', 'a', { edits: { nickname: 'B' } }) },
    { seq: 2, ...opOf('water', 'b', { base: { nickname: 'B' } }) },
    { seq: 3, ...opOf('water', 'c', { entity: 'p2' }) },
  ]);
});

test('an edit after an unsent edit is coalesced into that op, which keeps its id', async () => {
  const db = freshDb();
  await enqueue(db, opOf('update', 'a', { edits: { nickname: 'B' } }));
  const edits = { nickname: 'C', location: 'Hall' };
  expect(await enqueue(db, opOf('update', 'b', { edits }))).toBe('a');
  expect(await db.outbox.toArray()).toMatchObject([{ seq: 1, opId: 'a', edits }]);
});

test('an edit keeps the values that its form has shown as its base, although a sent edit has changed them since', async () => {
  const db = freshDb();
  await db.outbox.add(opRow({ ...sentOnce, state: 'uncertain', edits: { nickname: 'B' } }));
  const change = { edits: { nickname: 'C' }, base: { nickname: 'A' } };
  await enqueue(db, opOf('update', 'b', change));
  expect((await db.outbox.toArray()).at(-1)?.base).toEqual({ nickname: 'A' });
});

test('ops of another plant are not changed', async () => {
  const db = freshDb();
  await enqueue(db, opOf('update', 'a', { entity: 'p2' }));
  await enqueue(db, opOf('update', 'b'));
  await enqueue(db, opOf('delete', 'c', { entity: 'p2' }));
  expect(await queueOf(db)).toEqual(['update b', 'delete c']);
});

test('deleting an unsent plant leaves no op in the outbox, not even the delete', async () => {
  const db = freshDb();
  await enqueue(db, opOf('create', 'a', { entity: 'local-1' }));
  await enqueue(db, opOf('water', 'b', { entity: 'local-1' }));
  const opId = await enqueue(db, opOf('delete', 'c', { entity: 'local-1' }));
  expect(await queueOf(db)).toEqual([]);
  expect(await db.outbox.where('opId').equals(opId).count()).toBe(0);
});

test('a sent op is not changed', async () => {
  const db = freshDb();
  const sent = opRow({ ...sentOnce, state: 'uncertain', edits: { nickname: 'B' } });
  await db.outbox.add(sent);
  expect(await enqueue(db, opOf('update', 'b', { edits: { nickname: 'C' } }))).toBe('b');
  expect(await db.outbox.get(sent.seq)).toEqual(sent);
  expect(await queueOf(db)).toEqual(['update op-1', 'update b']);
});

test.each([
  ['p1', 'local-1'],
  ['local-1', 'p1'],
])(
  'an edit by the id %s and one by the id %s of the same plant are coalesced',
  async (first, second) => {
    const db = freshDb();
    await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
    await enqueue(db, opOf('update', 'a', { entity: first }));
    expect(await enqueue(db, opOf('update', 'b', { entity: second }))).toBe('a');
    expect(await queueOf(db)).toEqual(['update a']);
  },
);

test('edits that are enqueued at the same time are coalesced into one op, and none is lost', async () => {
  const db = freshDb();
  const edits = [{ nickname: 'B' }, { location: 'Hall' }, { species: 'Fern' }];
  await Promise.all(edits.map((edit, i) => enqueue(db, opOf('update', `${i}`, { edits: edit }))));
  const [op, ...others] = await db.outbox.toArray();
  expect(others).toEqual([]);
  expect(op?.edits).toEqual({ nickname: 'B', location: 'Hall', species: 'Fern' });
});

test('a tap becomes a watering at the time of the tap', async () => {
  const db = freshDb();
  const opId = await addWatering(db, 'p1', now);
  expect(await db.outbox.toArray()).toEqual([
    { seq: 1, ...newOp({ opId, entity: 'p1', type: 'water', occurredAt: now }) },
  ]);
});

test.each([
  [0, 1],
  [10 * minuteMs, 1],
  [10 * minuteMs + 1, 2],
])('a second tap %d ms later makes %d waterings', async (later, waterings) => {
  const db = freshDb();
  const first = await addWatering(db, 'p1', now);
  const second = await addWatering(db, 'p1', now + later);
  expect(await db.outbox.count()).toBe(waterings);
  expect(second === first).toBe(waterings === 1);
});

test('a second tap while the first is in flight is a watering of its own', async () => {
  const db = freshDb();
  const first = await addWatering(db, 'p1', now);
  await db.outbox
    .where('opId')
    .equals(first)
    .modify({ ...sentOnce, state: 'inflight' });
  await addWatering(db, 'p1', now + 1_000);
  const moments = (await db.outbox.toArray()).map(({ occurredAt }) => occurredAt);
  expect(moments).toEqual([now, now + 1_000]);
});

test('onOpAdded reports new ops until unsubscribed, but not when an op is sent', async () => {
  const db = freshDb();
  let calls = 0;
  const end = onOpAdded(db, () => {
    calls += 1;
  });
  await enqueue(db, opOf('water', 'a'));
  expect(calls).toBe(1);
  await db.outbox.clear();
  expect(calls).toBe(1);
  end();
  await enqueue(db, opOf('water', 'b'));
  expect(calls).toBe(1);
});
