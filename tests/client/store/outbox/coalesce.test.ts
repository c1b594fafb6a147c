import { expect, test } from 'vitest';
import { coalesce } from '#client/store/outbox/coalesce.ts';
import { newOp, type Op, type OpType } from '#client/store/outbox/op.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';
import { anyNewOp, anyOp } from '../../../support/device/random-ops.ts';
import { fc } from '../../../support/properties.ts';

const minuteMs = 60_000;

/** What coalescing does with the last op of a plant and the new one. */
type Effect = 'both stay' | 'coalesced' | 'one watering' | 'both gone' | 'last gone' | 'new gone';

function effectOf(last: Partial<Op>, type: OpType): Effect {
  const waiting = opRow(last);
  const op = newOp({ opId: 'new', entity: 'p1', type, occurredAt: 5 * minuteMs });
  const { drop, replace, add } = coalesce([waiting], op);
  if (drop.length > 0) return add ? 'last gone' : 'both gone';
  if (add) return 'both stay';
  if (replace) return 'coalesced';
  return type === 'water' && waiting.type === 'water' ? 'one watering' : 'new gone';
}

test.each<[last: OpType, then: OpType, Effect]>([
  ['create', 'update', 'coalesced'],
  ['create', 'water', 'both stay'],
  ['create', 'delete', 'both gone'],
  ['update', 'update', 'coalesced'],
  ['update', 'water', 'both stay'],
  ['update', 'delete', 'last gone'],
  ['water', 'update', 'both stay'],
  ['water', 'water', 'one watering'],
  ['water', 'delete', 'last gone'],
  ['delete', 'update', 'new gone'],
  ['delete', 'water', 'new gone'],
  ['delete', 'delete', 'new gone'],
])('an unsent %s as the last op, then a new %s: %s', (last, then, effect) => {
  expect(effectOf({ type: last }, then)).toBe(effect);
});

const sent: [string, Partial<Op>][] = [
  ['in flight', { ...sentOnce, state: 'inflight' }],
  ['in flight, its plant being read', { state: 'inflight', attempts: 1 }],
  ['of unknown outcome', { ...sentOnce, state: 'uncertain' }],
  ['queued again', { ...sentOnce, state: 'queued' }],
];

test.each(
  sent.flatMap(([how, state]) =>
    (['create', 'update', 'water'] as const).map((type) => ({ how, type, state })),
  ),
)('a $type that is $how is not changed by a later op', ({ type, state }) => {
  for (const then of ['update', 'water', 'delete'] as const) {
    expect(effectOf({ ...state, type }, then)).toBe('both stay');
  }
});

test.each(sent)('after a delete that is %s further ops of the plant are ignored', (_, state) => {
  for (const then of ['update', 'water', 'delete'] as const) {
    expect(effectOf({ ...state, type: 'delete' }, then)).toBe('new gone');
  }
});

test.each<[rejected: OpType, then: OpType, Effect]>([
  ['create', 'update', 'coalesced'],
  ['create', 'water', 'both stay'],
  ['create', 'delete', 'both gone'],
  ['update', 'update', 'last gone'],
  ['update', 'water', 'both stay'],
  ['update', 'delete', 'last gone'],
  ['water', 'update', 'both stay'],
  ['water', 'water', 'both stay'],
  ['water', 'delete', 'last gone'],
  ['delete', 'update', 'both stay'],
  ['delete', 'water', 'both stay'],
  ['delete', 'delete', 'last gone'],
])('a rejected %s as the last op, then a new %s: %s', (rejected, then, effect) => {
  expect(effectOf({ ...sentOnce, type: rejected, state: 'rejected' }, then)).toBe(effect);
});

test('an edited rejected create is sent again in its old place, under a new key', () => {
  const create = opRow({
    ...sentOnce,
    seq: 3,
    entity: 'local-1',
    type: 'create',
    state: 'rejected',
    edits: { nickname: 'Too long', location: 'Hall' },
    occurredAt: 5,
    lastError: { message: 'Too long', status: 422 },
  });
  const waiting = [
    create,
    opRow({ seq: 4, type: 'water' }),
    opRow({ seq: 5, edits: { species: 'S' } }),
  ];
  const op = newOp({
    opId: 'new',
    entity: 'local-1',
    type: 'update',
    occurredAt: 9,
    edits: { nickname: 'Short' },
    base: { nickname: 'Too long' },
  });
  expect(coalesce(waiting, op)).toEqual({
    drop: [5],
    replace: {
      ...newOp({ opId: 'new', entity: 'local-1', type: 'create', occurredAt: 5 }),
      seq: 3,
      edits: { nickname: 'Short', location: 'Hall', species: 'S' },
    },
    add: null,
  });
});

test('an edit includes rejected edits, unless a later edit has overwritten them', () => {
  const rejected = opRow({
    ...sentOnce,
    seq: 1,
    state: 'rejected',
    edits: { nickname: 'Too long', location: 'Hall', species: 'S' },
    base: { nickname: 'Old', location: 'Old', species: 'Old' },
  });
  const later = opRow({ ...sentOnce, seq: 2, state: 'inflight', edits: { location: 'Attic' } });
  const op = newOp({
    opId: 'new',
    entity: 'p1',
    type: 'update',
    occurredAt: 9,
    edits: { nickname: 'Short' },
    base: { nickname: 'Too long' },
  });
  expect(coalesce([rejected, later], op)).toEqual({
    drop: [1],
    replace: null,
    add: {
      ...op,
      edits: { nickname: 'Short', species: 'S' },
      base: { nickname: 'Old', species: 'Old' },
    },
  });
});

test('the first op of a plant is added and replaces nothing', () => {
  for (const type of ['create', 'update', 'water', 'delete'] as const) {
    const op = newOp({ opId: 'new', entity: 'p1', type, occurredAt: 0 });
    expect(coalesce([], op)).toEqual({ drop: [], replace: null, add: op });
  }
});

test('an edit coalesced into an edit keeps the later values and time, the first base and the first key', () => {
  const last = opRow({
    edits: { nickname: 'A', location: 'Hall' },
    base: { nickname: 'Old', location: 'Old' },
  });
  const op = newOp({
    opId: 'new',
    entity: 'p1',
    type: 'update',
    occurredAt: 9,
    edits: { nickname: 'B', species: 'S' },
    base: { nickname: 'A', species: 'Old' },
  });
  expect(coalesce([last], op).replace).toEqual({
    ...last,
    edits: { nickname: 'B', location: 'Hall', species: 'S' },
    base: { nickname: 'Old', location: 'Old', species: 'Old' },
    occurredAt: 9,
  });
});

test('a field that only the second of two coalesced edits changes has the base of the second edit', () => {
  const last = opRow({
    edits: { nickname: 'A' },
    base: { nickname: 'Old', location: 'Old', species: 'S' },
  });
  const op = newOp({
    opId: 'new',
    entity: 'p1',
    type: 'update',
    occurredAt: 9,
    edits: { location: 'Hall' },
    base: { nickname: 'Old', location: 'Changed elsewhere' },
  });
  expect(coalesce([last], op).replace).toMatchObject({
    edits: { nickname: 'A', location: 'Hall' },
    base: { nickname: 'Old', location: 'Changed elsewhere', species: 'S' },
  });
});

test('an edit of an unsent create is coalesced into it', () => {
  const last = opRow({ type: 'create', edits: { nickname: 'A', location: 'Hall' } });
  const op = { ...opRow({ opId: 'new', edits: { nickname: 'B' }, base: { nickname: 'A' } }) };
  expect(coalesce([last], op).replace).toEqual({
    ...last,
    edits: { nickname: 'B', location: 'Hall' },
  });
});

const unlock: Partial<Op> = {
  edits: { auto_watering_enabled: true },
  base: { auto_watering_enabled: true },
};
const edit: Partial<Op> = { edits: { photo_id: 'new' }, base: { photo_id: null } };

test.each([
  { last: 'unlock', next: 'edit', first: unlock, second: edit, isCoalesced: false },
  { last: 'edit', next: 'unlock', first: edit, second: unlock, isCoalesced: false },
  { last: 'unlock', next: 'unlock', first: unlock, second: unlock, isCoalesced: true },
])(
  'an unsent $last, then a new $next: coalesced: $isCoalesced',
  ({ first, second, isCoalesced }) => {
    const [last, op] = [opRow(first), newOp({ ...opRow({ opId: 'new', ...second }) })];
    const expected = isCoalesced ? { replace: last, add: null } : { replace: null, add: op };
    expect(coalesce([last], op)).toEqual({ drop: [], ...expected });
  },
);

test('an edit keeps a rejected unlock, and does not turn automatic watering on again', () => {
  const rejected = opRow({ ...unlock, ...sentOnce, state: 'rejected' });
  const op = newOp({ ...opRow({ opId: 'new', ...edit }) });
  expect(coalesce([rejected], op)).toEqual({ drop: [], replace: null, add: op });
});

test('an unlock keeps a rejected edit and does not contain its fields, because with them it might not unlock', () => {
  const rejected = opRow({ ...edit, ...sentOnce, state: 'rejected' });
  const op = newOp({ ...opRow({ opId: 'new', ...unlock }) });
  expect(coalesce([rejected], op)).toEqual({ drop: [], replace: null, add: op });
});

test('a new unlock replaces a rejected one', () => {
  const rejected = opRow({ ...unlock, ...sentOnce, state: 'rejected' });
  const op = newOp({ ...opRow({ opId: 'new', ...unlock }) });
  expect(coalesce([rejected], op)).toEqual({ drop: [rejected.seq], replace: null, add: op });
});

test.each([
  [10 * minuteMs, 'one watering'],
  [10 * minuteMs + 1, 'both stay'],
  [-10 * minuteMs, 'one watering'],
  [-10 * minuteMs - 1, 'both stay'],
])('two waterings %d ms apart: %s', (apart, effect) => {
  expect(effectOf({ type: 'water', occurredAt: 5 * minuteMs - apart }, 'water')).toBe(effect);
});

test('an edit is not coalesced into an earlier unsent edit if a watering was added between them', () => {
  const waiting = [opRow({ seq: 1 }), opRow({ seq: 2, type: 'water' })];
  const op = newOp({ opId: 'new', entity: 'p1', type: 'update', occurredAt: 0 });
  expect(coalesce(waiting, op)).toEqual({ drop: [], replace: null, add: op });
});

test('a delete drops every unsent or rejected op, and no other', () => {
  const waiting = [
    opRow({ seq: 1, ...sentOnce, state: 'uncertain' }),
    opRow({ seq: 2, ...sentOnce, state: 'rejected' }),
    opRow({ seq: 3 }),
    opRow({ seq: 4, type: 'water' }),
  ];
  const op = newOp({ opId: 'new', entity: 'p1', type: 'delete', occurredAt: 0 });
  expect(coalesce(waiting, op)).toEqual({ drop: [2, 3, 4], replace: null, add: op });
});

test('an op that is in flight or was sent is never changed, unless it was rejected', () => {
  fc.assert(
    fc.property(fc.array(anyOp('p1'), { maxLength: 5 }), anyNewOp('p1'), (ops, op) => {
      const waiting = ops.map((one, i) => ({ ...one, seq: i + 1 }));
      const { drop, replace } = coalesce(waiting, op);
      const touched = [...drop, ...(replace ? [replace.seq] : [])];
      for (const { seq, state, request } of waiting) {
        const isOnItsWay = state !== 'rejected' && (state !== 'queued' || request !== null);
        if (isOnItsWay) expect(touched).not.toContain(seq);
      }
      const kept = waiting.find(({ seq }) => seq === replace?.seq);
      if (kept?.state !== 'rejected') expect(replace?.opId).toBe(kept?.opId);
    }),
  );
});
