import { expect, test } from 'vitest';
import { applyPendingOps, type PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { opRow, plantRecord, plantRow, sentOnce } from '../../../support/device/device-rows.ts';

const tap = Date.parse('2026-11-20T08:00:00Z');
const rejected: Partial<Op> = { ...sentOnce, state: 'rejected' };
const create: Partial<Op> = {
  type: 'create',
  entity: 'local-1',
  occurredAt: tap,
  edits: { nickname: 'New', watering_frequency: 2 },
};
const watered: Partial<PlantRecord> = {
  last_watered: '2026-11-20T08:00:00.000Z',
  next_watering_date: '2026-11-23T08:00:00.000Z',
  snoozed_until: null,
};

/** The plant p1 that results from this record and these ops; undefined if it is deleted. */
function plantWith(
  ops: Partial<Op>[],
  record: PlantRecord = plantRecord(),
): PlantWithPending | undefined {
  const rows = ops.map((op, i) => opRow({ seq: i + 1, ...op }));
  return applyPendingOps([plantRow(record)], rows, [])[0];
}

test('a plant without changes is the record of the server', () => {
  const record = plantRecord();
  expect(applyPendingOps([plantRow(record)], [], [])).toEqual([
    { key: 'p1', record, stamp: expect.any(String), waiting: [], rejected: [] },
  ]);
});

test.each<[name: string, op: Partial<Op>, changes: Partial<PlantRecord>]>([
  [
    'a waiting watering is shown, with the next one due after the frequency',
    { type: 'water', occurredAt: tap },
    watered,
  ],
  [
    'a watering of unknown outcome is shown',
    { type: 'water', occurredAt: tap, ...sentOnce, state: 'uncertain' },
    watered,
  ],
  [
    'a watering before the last one is not shown',
    { type: 'water', occurredAt: tap - 30 * 86_400_000 },
    {},
  ],
  ['a rejected watering is not shown', { type: 'water', occurredAt: tap, ...rejected }, {}],
  ['a rejected delete does not hide the plant', { type: 'delete', ...rejected }, {}],
  ['a pending edit replaces values of the record', { edits: { nickname: 'B' } }, { nickname: 'B' }],
  ['a rejected edit stays visible', { edits: { nickname: 'B' }, ...rejected }, { nickname: 'B' }],
  ['an edit may empty a field', { edits: { location: null } }, { location: null }],
  [
    'another frequency moves the next watering',
    { edits: { watering_frequency: 10 } },
    { watering_frequency: 10, next_watering_date: '2026-11-11T08:00:00.000Z' },
  ],
])('%s', (_, op, changes) => {
  expect(plantWith([op])?.record).toEqual({ ...plantRecord(), ...changes });
});

test('an edit of a field other than the watering frequency keeps the server’s next watering date, even an unexpected one', () => {
  const odd = plantRecord({ next_watering_date: '2030-01-01T00:00:00Z' });
  const edited = plantWith([{ edits: { nickname: 'B' } }], odd);
  expect(edited?.record).toEqual({ ...odd, nickname: 'B' });
});

test('a plant that was never watered is due one watering interval after it was added', () => {
  const record = plantRecord({ last_watered: null, next_watering_date: null });
  const edited = plantWith([{ edits: { watering_frequency: 10 } }], record);
  expect(edited?.record.next_watering_date).toBe('2026-10-11T08:00:00.000Z');
});

test('a waiting delete hides the plant', () => {
  expect(plantWith([{ type: 'water', occurredAt: tap }, { type: 'delete' }])).toBeUndefined();
});

test('waiting and rejected ops are listed separately, oldest first', () => {
  const ops = [
    opRow({ seq: 4, type: 'water' }),
    opRow({ seq: 1, ...rejected }),
    opRow({ seq: 3, ...sentOnce, state: 'inflight' }),
    opRow({ seq: 2, type: 'delete', ...rejected }),
  ];
  const [plant] = applyPendingOps([plantRow()], ops, []);
  expect(plant?.waiting.map(({ seq }) => seq)).toEqual([3, 4]);
  expect(plant?.rejected.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('edits are applied in the order in which they were made, not in the order of the rows', () => {
  const ops = [
    opRow({ seq: 2, edits: { nickname: 'Later' } }),
    opRow({ seq: 1, edits: { nickname: 'Sooner', location: 'Hall' } }),
  ];
  const [plant] = applyPendingOps([plantRow()], ops, []);
  expect(plant?.record).toMatchObject({ nickname: 'Later', location: 'Hall' });
});

test.each([
  ['waiting', {}],
  ['rejected', rejected],
])('a %s new plant is shown under its local id', (_, how) => {
  const [plant, ...others] = applyPendingOps([], [opRow({ ...create, ...how })], []);
  expect(others).toEqual([]);
  expect(plant).toMatchObject({ key: 'local-1', record: { id: 'local-1', nickname: 'New' } });
  expect(plant?.record.date_added).toBe('2026-11-20T08:00:00.000Z');
  expect(plant?.record.next_watering_date).toBe('2026-11-22T08:00:00.000Z');
});

test('a new plant can be watered and edited before the server knows it', () => {
  const water = opRow({ seq: 2, type: 'water', entity: 'local-1', occurredAt: tap + 86_400_000 });
  const edit = opRow({ seq: 3, entity: 'local-1', edits: { nickname: 'Newer' } });
  const [plant] = applyPendingOps([], [opRow(create), water, edit], []);
  expect(plant?.record).toMatchObject({
    nickname: 'Newer',
    last_watered: '2026-11-21T08:00:00.000Z',
    next_watering_date: '2026-11-23T08:00:00.000Z',
  });
});

test('once the server has created a plant, screens keep its local id, and ops with either id are applied', () => {
  const idmap = [{ localId: 'local-1', serverId: 'p1' }];
  const ops = [
    opRow({ seq: 1, entity: 'local-1', edits: { nickname: 'B' } }),
    opRow({ seq: 2, entity: 'p1', edits: { location: 'Hall' } }),
  ];
  const plants = applyPendingOps([plantRow()], ops, idmap);
  expect(plants).toHaveLength(1);
  expect(plants[0]?.key).toBe('local-1');
  expect(plants[0]?.record).toEqual({ ...plantRecord(), nickname: 'B', location: 'Hall' });
});

test('ops of a plant that the server no longer has are left out', () => {
  const ops = [opRow({ seq: 1, ...rejected }), opRow({ seq: 2, type: 'water', ...rejected })];
  expect(applyPendingOps([], ops, [])).toEqual([]);
});

test('plants come in the order of the rows, then new ones in the order in which they were made', () => {
  const rows = [plantRow(plantRecord({ id: 'b' })), plantRow(plantRecord({ id: 'a' }))];
  const ops = [
    opRow({ ...create, seq: 9, entity: 'x' }),
    opRow({ ...create, seq: 8, entity: 'y' }),
  ];
  expect(applyPendingOps(rows, ops, []).map(({ key }) => key)).toEqual(['b', 'a', 'y', 'x']);
});

test.each<[what: string, Partial<PlantRecord>, Partial<PlantFields>]>([
  ['an invalid date', { last_watered: 'soon' }, { watering_frequency: 2 }],
  ['an empty date', { last_watered: '' }, { watering_frequency: 2 }],
  ['no date at all', { last_watered: null, date_added: null }, { watering_frequency: 2 }],
  ['a frequency beyond all dates', {}, { watering_frequency: 1e12 }],
])('%s does not hide the plant', (_, record, edits) => {
  const plant = plantWith([{ edits }], plantRecord(record));
  expect(plant?.record).toEqual({ ...plantRecord(record), ...edits });
});
