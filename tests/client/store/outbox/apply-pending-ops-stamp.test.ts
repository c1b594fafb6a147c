import { expect, test } from 'vitest';
import { applyPendingOps } from '#client/store/outbox/apply-pending-ops.ts';
import { coalesce } from '#client/store/outbox/coalesce.ts';
import { newOp, type Op } from '#client/store/outbox/op.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { opRow, plantRecord, plantRow, sentOnce } from '../../../support/device/device-rows.ts';

const edit = opRow({ edits: { nickname: 'B' } });

function stampOf(ops: Op[], record: PlantRecord = plantRecord(), rev = 1): string | undefined {
  return applyPendingOps([plantRow(record, rev)], ops, [])[0]?.stamp;
}

test('a plant that looks the same keeps its stamp', () => {
  expect(stampOf([{ ...edit }])).toBe(stampOf([edit]));
  expect(stampOf([], plantRecord())).toBe(stampOf([], plantRecord()));
});

test.each<[what: string, ops: Op[], rev: number]>([
  ['another record of the server', [edit], 2],
  ['the removal of the only op', [], 1],
  ['one op more', [edit, opRow({ seq: 2, type: 'water' })], 1],
  ['another op instead', [{ ...edit, seq: 2 }], 1],
  ['an op on its way', [{ ...edit, ...sentOnce, state: 'inflight' }], 1],
  ['a rejected op', [{ ...edit, state: 'rejected' }], 1],
  ['a second attempt', [{ ...edit, attempts: 1 }], 1],
])('%s changes the stamp', (_, ops, rev) => {
  expect(stampOf(ops, plantRecord(), rev)).not.toBe(stampOf([edit]));
});

test('an edit that was coalesced into an unsent one changes the stamp', () => {
  const later = { opId: 'new', entity: 'p1', type: 'update', occurredAt: 1 } as const;
  const { replace } = coalesce([edit], newOp({ ...later, edits: { nickname: 'C' } }));
  expect(replace?.edits).toEqual({ nickname: 'C' });
  expect(stampOf(replace ? [replace] : [])).not.toBe(stampOf([edit]));
});
