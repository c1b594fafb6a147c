import { expect, test } from 'vitest';
import { coalesce } from '#client/store/outbox/coalesce.ts';
import { type NewOp, newOp, type Op } from '#client/store/outbox/op.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { anyNewOp } from '../../../support/device/random-ops.ts';
import { fc } from '../../../support/properties.ts';

const apartMs = 11 * 60_000;

/** A plant as a server stores it; null if there is none. */
type Kept = { fields: Partial<PlantFields>; waterings: number[] } | null;

function sent(kept: Kept, { type, edits, occurredAt }: NewOp): Kept {
  if (type === 'create') return { fields: edits, waterings: [] };
  if (kept === null || type === 'delete') return null;
  return type === 'update'
    ? { ...kept, fields: { ...kept.fields, ...edits } }
    : { ...kept, waterings: [...kept.waterings, occurredAt] };
}

function queued(outbox: Op[], op: NewOp, i: number): Op[] {
  const { drop, replace, add } = coalesce(outbox, op);
  const kept = outbox
    .filter(({ seq }) => !drop.includes(seq))
    .map((one) => (one.seq === replace?.seq ? replace : one));
  return add ? [...kept, { ...add, seq: i + 1 }] : kept;
}

const anyOps = fc
  .tuple(fc.boolean(), fc.array(anyNewOp('p1'), { maxLength: 8 }))
  .map(([isNew, ops]) => {
    const create = newOp({
      opId: 'create',
      entity: 'p1',
      type: 'create',
      occurredAt: 0,
      edits: { nickname: 'New', location: null },
    });
    const all = [...(isNew ? [create] : []), ...ops];
    return { isNew, all: all.map((op, i) => ({ ...op, occurredAt: (i + 1) * apartMs })) };
  });

test('coalesced ops have the same effect on the server as all ops one by one', () => {
  fc.assert(
    fc.property(anyOps, ({ isNew, all }) => {
      const before: Kept = isNew ? null : { fields: { nickname: 'Old' }, waterings: [] };
      const coalesced = all.reduce<Op[]>(queued, []);
      expect(coalesced.reduce<Kept>(sent, before)).toEqual(all.reduce<Kept>(sent, before));
    }),
  );
});

test('the server ends up in the same state, no matter when the outbox is sent', () => {
  fc.assert(
    fc.property(anyOps, fc.nat(8), ({ isNew, all }, cut) => {
      const before: Kept = isNew ? null : { fields: { nickname: 'Old' }, waterings: [] };
      const first = all.slice(0, cut).reduce<Op[]>(queued, []);
      const between = first.reduce<Kept>(sent, before);
      const second = all.slice(cut).reduce<Op[]>(queued, []);
      expect(second.reduce<Kept>(sent, between)).toEqual(all.reduce<Kept>(sent, before));
    }),
  );
});
