import { expect, test } from 'vitest';
import type { Op } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';
import { nextOps } from '#client/sync/push/next-ops.ts';
import { opRow } from '../../../support/device/device-rows.ts';

const now = 1_000;
const backingOff = { nextAt: now + 500 };
const rejected = { state: 'rejected' } as const;
const mapped = [{ localId: 'local-1', serverId: 's1' }];

function nextOp(ops: readonly Op[], idmap: readonly IdMapRow[], at: number) {
  return nextOps(ops, idmap, at, 1);
}

/** An outbox of these ops, in order. Each is given as its plant and its differences from the default op of `opRow`. */
function outbox(...ops: [entity: string, change?: Partial<Op>][]): Op[] {
  return ops.map(([entity, change], i) => opRow({ seq: i + 1, entity, ...change }));
}

test('an empty outbox has nothing to send', () => {
  expect(nextOp([], [], now)).toEqual({ type: 'nothing' });
});

test.each<[what: string, ops: Op[], seq: number]>([
  ['the oldest op is sent first', outbox(['a'], ['b']), 1],
  ['ops are sent in the order in which they were made', outbox(['a'], ['b']).reverse(), 1],
  ['an op that is due now is sent', outbox(['a', { nextAt: now }]), 1],
  [
    'a watering that can still be undone is skipped',
    outbox(['a', { type: 'water', undoUntil: now + 1 }], ['b']),
    2,
  ],
  ['an uncertain op is sent like any other', outbox(['a', { state: 'uncertain' }], ['b']), 1],
  [
    'a plant in backoff is skipped, with all its later ops',
    outbox(['a', backingOff], ['a'], ['b'], ['a']),
    3,
  ],
  ['a rejected edit blocks no op', outbox(['a', rejected], ['a']), 2],
  ['a rejected watering blocks no op', outbox(['a', { ...rejected, type: 'water' }], ['a']), 2],
  [
    'an op in flight for as long as its timeout is sent again',
    outbox(['a', { state: 'inflight', sentAt: -19_000 }]),
    1,
  ],
  [
    'an op in flight whose send time is in the future, as after the clock was set back, is sent again',
    outbox(['a', { state: 'inflight', sentAt: 2_000 }]),
    1,
  ],
  [
    'an op whose backoff ends in the far future, as after the clock was set back, is sent',
    outbox(['a', { nextAt: now + 86_400_000 }]),
    1,
  ],
  [
    'an op in backoff whose send time is in the future, as after the clock was set back, is sent',
    outbox(['a', { nextAt: now + 60_000, sentAt: now + 1 }]),
    1,
  ],
  [
    'an op that another engine is sending is skipped, with the later ops of its plant',
    outbox(['a', { state: 'inflight', sentAt: 900 }], ['a'], ['b']),
    3,
  ],
  [
    'a plant that could not be created blocks only its own ops',
    outbox(['a', { ...rejected, type: 'create' }], ['a'], ['b']),
    3,
  ],
])('%s', (_, ops, seq) => {
  const op = ops.find((one) => one.seq === seq);
  expect(nextOp(ops, [], now)).toEqual({ type: 'ops', ops: [{ op, plantId: op?.entity }] });
});

test.each<[what: string, ops: Op[]]>([
  ['an outbox of rejected ops', outbox(['a', rejected], ['b', rejected])],
  ['an op behind a rejected create', outbox(['a', { ...rejected, type: 'create' }], ['a'])],
])('%s: there is nothing to send', (_, ops) => {
  expect(nextOp(ops, [], now)).toEqual({ type: 'nothing' });
});

test('when all ops are in backoff, the wait ends with the first that is due', () => {
  const ops = outbox(
    ['a', { nextAt: now + 900 }],
    ['b', { nextAt: now + 300 }],
    ['a', { nextAt: 0 }],
  );
  expect(nextOp(ops, [], now)).toEqual({ type: 'wait', until: now + 300 });
});

test('an op that another engine is sending is due again after 20 s', () => {
  const ops = outbox(['a', { state: 'inflight', sentAt: now }]);
  expect(nextOp(ops, [], now)).toEqual({ type: 'wait', until: now + 20_000 });
});

test('an op that follows one in backoff does not shorten the wait', () => {
  const ops = outbox(['a', backingOff], ['a', { nextAt: now + 1 }]);
  expect(nextOp(ops, [], now)).toEqual({ type: 'wait', until: now + 500 });
});

test('ops under the local id and ops under the server id of a plant block each other', () => {
  expect(nextOp(outbox(['local-1', backingOff], ['s1']), mapped, now).type).toBe('wait');
  expect(nextOp(outbox(['s1', backingOff], ['local-1']), mapped, now).type).toBe('wait');
  expect(nextOp(outbox(['local-1', backingOff], ['s1']), [], now).type).toBe('ops');
  expect(nextOp(outbox(['local-1']), mapped, now)).toMatchObject({ ops: [{ plantId: 's1' }] });
});

test('choosing the next op does not change the outbox', () => {
  const ops = outbox(['a'], ['b']).reverse();
  const before = structuredClone(ops);
  nextOp(Object.freeze(ops) as Op[], [], now);
  expect(ops).toEqual(before);
});

const water = { type: 'water' } as const;
const note = { type: 'add_entry' } as const;

test.each<[what: string, ops: Op[], limit: number, seqs: number[]]>([
  ['the oldest ops are sent together, up to the limit', outbox(['a'], ['b'], ['c']), 2, [1, 2]],
  ['a plant may have any number of waterings', outbox(['a', water], ['a', water]), 9, [1, 2]],
  ['waterings may follow an edit', outbox(['a'], ['a', water], ['a', water]), 9, [1, 2, 3]],
  [
    'changes of a journal may follow anything',
    outbox(['a'], ['a', note], ['a', { type: 'edit_entry' }], ['a', { type: 'remove_entry' }]),
    9,
    [1, 2, 3, 4],
  ],
  ['an edit may not follow a change of the journal', outbox(['a', note], ['a'], ['b']), 9, [1, 3]],
  ['an edit may follow nothing of its plant', outbox(['a', water], ['a'], ['b']), 9, [1, 3]],
  [
    'no op is sent before an earlier edit of its plant',
    outbox(['a', water], ['a'], ['a', water]),
    9,
    [1],
  ],
  ['two edits of a plant are sent one by one', outbox(['a'], ['a'], ['b']), 9, [1, 3]],
  [
    'a delete follows nothing of its plant',
    outbox(['a', water], ['a', { type: 'delete' }]),
    9,
    [1],
  ],
  ['nothing follows a create', outbox(['local-2', { type: 'create' }], ['local-2', water]), 9, [1]],
  ['a plant in backoff is skipped', outbox(['a', backingOff], ['a', water], ['b']), 9, [3]],
  ['no op is sent before one beyond the limit', outbox(['a'], ['b'], ['b', water]), 1, [1]],
  ['a rejected edit blocks no op', outbox(['a', rejected], ['a'], ['a', water]), 9, [2, 3]],
])('in a batch: %s', (_, ops, limit, seqs) => {
  const next = nextOps(ops, [], now, limit);
  expect(next.type === 'ops' && next.ops.map(({ op }) => op.seq)).toEqual(seqs);
});

const addPhoto = (id: string, change: Partial<Op> = {}): Partial<Op> => ({
  type: 'add_photo',
  photo: { id, entryId: null, takenAt: 0, width: 4, height: 3 },
  ...change,
});
const seqs = (next: ReturnType<typeof nextOps>) =>
  next.type === 'ops' ? next.ops.map(({ op }) => op.seq) : next;

test.each<[what: string, ops: Op[], expected: number[]]>([
  ['all other ops are sent before a photo', outbox(['a', addPhoto('1')], ['b'], ['a']), [2, 3]],
  ['photos are sent one by one', outbox(['a', addPhoto('1')], ['a', addPhoto('2')]), [1]],
  [
    'a photo in backoff is skipped',
    outbox(['a', addPhoto('1', backingOff)], ['a', addPhoto('2')]),
    [2],
  ],
  [
    'a photo waits for its plant',
    outbox(['a', { type: 'create', ...backingOff }], ['a', addPhoto('1')], ['b', addPhoto('2')]),
    [3],
  ],
  [
    'a plant in backoff does not block its photos',
    outbox(['a', backingOff], ['a', addPhoto('1')]),
    [2],
  ],
  [
    'a photo that is being sent blocks no watering',
    outbox(['a', addPhoto('1', { state: 'inflight', sentAt: 900 })], ['a', { type: 'water' }]),
    [2],
  ],
])('%s', (_, ops, expected) => {
  expect(seqs(nextOps(ops, [], now, 50))).toEqual(expected);
});

test('a photo waits for its entry, also while the entry waits for an earlier op', () => {
  const entry = { id: 'e1', type: 'note', at: 0, note: 'A', amount_ml: null, days: null } as const;
  const photo = { id: '1', entryId: 'e1', takenAt: 0, width: 4, height: 3 };
  const ops = outbox(
    ['a', backingOff],
    ['a', { type: 'add_entry', entry }],
    ['a', { type: 'add_photo', photo }],
  );
  expect(nextOps(ops, [], now, 50)).toEqual({ type: 'wait', until: now + 500 });
});

test('an upload may take 125 s before it counts as abandoned', () => {
  const ops = outbox(['a', addPhoto('1', { state: 'inflight', sentAt: now })]);
  expect(nextOp(ops, [], now + 124_000)).toEqual({ type: 'wait', until: now + 125_000 });
  expect(seqs(nextOp(ops, [], now + 125_000))).toEqual([1]);
});
