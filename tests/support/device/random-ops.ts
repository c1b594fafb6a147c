import { type NewOp, newOp, type Op } from '#client/store/outbox/op.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { fc } from '../properties.ts';
import { sentOnce } from './device-rows.ts';

const anyEdits: fc.Arbitrary<Partial<PlantFields>> = fc.record(
  {
    nickname: fc.string({ maxLength: 3 }),
    location: fc.option(fc.string({ maxLength: 3 })),
    watering_frequency: fc.integer({ min: 1, max: 30 }),
  },
  { requiredKeys: [] },
);

/** A random new op for an existing plant; `occurredAt` is within 15 minutes after the epoch. */
export function anyNewOp(entity: string): fc.Arbitrary<NewOp> {
  const type = fc.constantFrom('update', 'water', 'delete');
  return fc
    .tuple(fc.uuid(), type, anyEdits, fc.nat(15 * 60_000))
    .map(([opId, type, edits, at]) =>
      newOp({ opId, entity, type: type, occurredAt: at, edits: type === 'update' ? edits : {} }),
    );
}

/** A random op in any state before, while or after it is sent. */
export function anyOp(entity: string): fc.Arbitrary<Op> {
  const state: fc.Arbitrary<Partial<Op>> = fc.constantFrom(
    { state: 'queued' },
    { state: 'queued', attempts: 1, nextAt: 1 },
    { ...sentOnce, state: 'queued' },
    { ...sentOnce, state: 'inflight' },
    { ...sentOnce, state: 'uncertain' },
    { ...sentOnce, state: 'rejected' },
  );
  return fc.tuple(anyNewOp(entity), state).map(([op, how]) => ({ ...op, ...how, seq: 0 }));
}

export function anyCreate(entity: string): fc.Arbitrary<Op> {
  return fc.tuple(anyOp(entity), anyEdits).map(([op, edits]) => ({ ...op, type: 'create', edits }));
}
