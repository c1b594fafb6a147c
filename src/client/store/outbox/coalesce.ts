import { isUnsent, type NewOp, type Op } from './op.ts';

/** What a new intent does to the queue: ops to drop, and one to write (in place of an old one, or added). */
export interface QueueChange {
  drop: number[];
  replace: Op | null;
  add: NewOp | null;
}

const sameWateringMs = 10 * 60_000;

/**
 * Folds a new op into a plant's waiting ops (oldest first). Of those still on their way only unsent ones are ever
 * touched, and only the last one is merged into: a sent op is frozen, because its key stands for exactly what was
 * sent. A refused edit goes into the next edit, under that one's key, and is settled by a delete.
 */
export function coalesce(waiting: readonly Op[], op: NewOp): QueueChange {
  const last = waiting.at(-1);
  if (last?.type === 'delete' && last.state !== 'rejected') return nothing;
  if (op.type === 'delete') return coalesceDelete(waiting, op);
  if (op.type === 'update') return coalesceUpdate(waiting, op);
  const isSameWatering =
    last?.type === 'water' &&
    isUnsent(last) &&
    Math.abs(op.occurredAt - last.occurredAt) <= sameWateringMs;
  return isSameWatering ? nothing : { ...nothing, add: op };
}

const nothing: QueueChange = { drop: [], replace: null, add: null };

/** A delete drops what will never be sent; a plant that the server never took is gone with that. */
function coalesceDelete(waiting: readonly Op[], op: NewOp): QueueChange {
  const drop = waiting.filter(isOpen).map(({ seq }) => seq);
  const neverTaken = waiting[0]?.type === 'create' && isOpen(waiting[0]);
  return { drop, replace: null, add: neverTaken ? null : op };
}

function coalesceUpdate(waiting: readonly Op[], op: NewOp): QueueChange {
  const [first] = waiting;
  if (first?.type === 'create' && isParked(first)) return renewed(first, waiting, op);
  const isRefusedEdit = (one: Op) => one.type === 'update' && isParked(one);
  const drop = waiting.filter(isRefusedEdit).map(({ seq }) => seq);
  const last = waiting.filter((one) => !isRefusedEdit(one)).at(-1);
  const whole = withRefused(waiting, op);
  return last && isUnsent(last) && (last.type === 'create' || last.type === 'update')
    ? { drop, replace: merged(last, whole), add: null }
    : { drop, replace: null, add: whole };
}

/** The later edit wins per field; what the field was before the first edit stays its base. */
function merged(last: Op, op: NewOp): Op {
  return {
    ...last,
    edits: { ...last.edits, ...op.edits },
    base: last.type === 'create' ? {} : { ...op.base, ...last.base },
  };
}

/** A refused plant, edited, is sent anew in its old place, so that what waits for it still stands behind it. */
function renewed(create: Op, waiting: readonly Op[], op: NewOp): QueueChange {
  const edits = waiting.filter((one) => one.type === 'update' && isOpen(one));
  return {
    drop: edits.map(({ seq }) => seq),
    replace: {
      ...op,
      seq: create.seq,
      entity: create.entity,
      type: 'create',
      edits: Object.assign({}, create.edits, ...edits.map((one) => one.edits), op.edits),
      base: {},
      occurredAt: create.occurredAt,
    },
    add: null,
  };
}

/** The op with the fields of refused edits that nothing later has overwritten. */
function withRefused(waiting: readonly Op[], op: NewOp): NewOp {
  const kept = new Map<string, { value: unknown; base: unknown }>();
  for (const { type, state, edits, base } of waiting) {
    if (type !== 'update') continue;
    for (const [name, value] of Object.entries(edits)) {
      const was = kept.get(name)?.base ?? base[name as keyof typeof base];
      if (state === 'rejected') kept.set(name, { value, base: was });
      else kept.delete(name);
    }
  }
  const fields = (of: 'value' | 'base') =>
    Object.fromEntries([...kept].map(([name, field]) => [name, field[of]]));
  return {
    ...op,
    edits: { ...fields('value'), ...op.edits },
    base: { ...op.base, ...fields('base') },
  };
}

function isParked({ state }: Op): boolean {
  return state === 'rejected';
}

/** Not on its way: never sent, or refused. */
function isOpen(op: Op): boolean {
  return isUnsent(op) || isParked(op);
}
