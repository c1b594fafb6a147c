import { expect, test } from 'vitest';
import { applyPendingOps } from '#client/store/outbox/apply-pending-ops.ts';
import { coalesce } from '#client/store/outbox/coalesce.ts';
import { isRejected, type NewOp, type Op } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';
import { plantRecord, plantRow } from '../../../support/device/device-rows.ts';
import { anyCreate, anyNewOp, anyOp } from '../../../support/device/random-ops.ts';
import { fc } from '../../../support/properties.ts';

const rows = [plantRow(plantRecord({ id: 'p1' })), plantRow(plantRecord({ id: 'p2' }))];
/** p2 was made on this device, so its ops may use either of its ids. */
const idmap: IdMapRow[] = [{ localId: 'local-2', serverId: 'p2' }];
const keyOf = ({ entity }: Op) => (entity === 'p2' ? 'local-2' : entity);

/** An outbox with ops of two plants that the server knows and one that it does not know. */
const anyOutbox: fc.Arbitrary<Op[]> = fc
  .tuple(
    anyCreate('local-3'),
    fc.array(fc.constantFrom('p1', 'p2', 'local-2', 'local-3').chain(anyOp), { maxLength: 8 }),
  )
  .map((ops) => ops.flat().map((op, i) => ({ ...op, seq: i + 1 })));

test('a waiting or rejected edit is never hidden, except by a waiting delete', () => {
  fc.assert(
    fc.property(anyOutbox, (ops) => {
      const plants = new Map(applyPendingOps(rows, ops, idmap).map((plant) => [plant.key, plant]));
      for (const key of ['p1', 'local-2', 'local-3']) {
        const own = ops.filter((op) => keyOf(op) === key);
        const isDeleted = own.some((op) => op.type === 'delete' && !isRejected(op));
        expect(plants.has(key)).toBe(!isDeleted);
        const edits = Object.assign({}, ...own.map((op) => op.edits));
        if (!isDeleted) expect(plants.get(key)?.record).toMatchObject(edits);
      }
    }),
  );
});

test('every op of a visible plant is listed exactly once, either as waiting or as rejected', () => {
  fc.assert(
    fc.property(anyOutbox, (ops) => {
      for (const { key, waiting, rejected } of applyPendingOps(rows, ops, idmap)) {
        const listed = [...waiting, ...rejected].map(({ seq }) => seq).sort((a, b) => a - b);
        expect(listed).toEqual(ops.filter((op) => keyOf(op) === key).map(({ seq }) => seq));
      }
    }),
  );
});

test('coalescing changes nothing that a person sees', () => {
  fc.assert(
    fc.property(fc.array(anyNewOp('p1'), { maxLength: 6 }), (newOps) => {
      // Far enough apart that no two waterings are coalesced.
      const apart = newOps.map((op, i) => ({ ...op, occurredAt: (i + 1) * 11 * 60_000 }));
      const coalesced = apart.reduce(enqueued, []);
      const uncoalesced = apart.map((op, i) => ({ ...op, seq: i + 1 }));
      const seen = (ops: Op[]) => applyPendingOps(rows, ops, idmap).map(({ record }) => record);
      expect(seen(coalesced)).toEqual(seen(uncoalesced));
    }),
  );
});

test('a new edit is shown and hides no earlier waiting or rejected edit of another field', () => {
  fc.assert(
    fc.property(anyOutbox, anyNewOp('p1'), (ops, edit) => {
      const own = ops.filter((op) => op.entity === 'p1');
      fc.pre(edit.type === 'update' && own.every(({ type }) => type !== 'delete'));
      const shown = (outbox: Op[]) => {
        const plant = applyPendingOps(rows, outbox, idmap).find(({ key }) => key === 'p1');
        return { ...plant?.record, next_watering_date: null };
      };
      expect(shown(enqueued(own, edit))).toEqual({ ...shown(own), ...edit.edits });
    }),
  );
});

/** The outbox after `op` is enqueued and coalesced, without the database. */
function enqueued(outbox: Op[], op: NewOp): Op[] {
  const { drop, replace, add } = coalesce(outbox, op);
  const kept = outbox
    .filter(({ seq }) => !drop.includes(seq))
    .map((one) => (one.seq === replace?.seq ? replace : one));
  return add ? [...kept, { ...add, seq: (outbox.at(-1)?.seq ?? 0) + 1 }] : kept;
}
