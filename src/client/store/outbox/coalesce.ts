import { coalesceEntry } from './coalesce-entries.ts';
import { isRejected, isUnsent, type NewOp, type Op } from './op.ts';
import { canDrop, noChange, type QueueChange } from './queue-change.ts';

const sameWateringMs = 10 * 60_000;

/**
 * Merges a new op into a plant's ops in the outbox (oldest first). Only the last op can be merged into, and only if it
 * is unsent: a sent op is frozen, because the server knows its key together with the bytes that were sent. A rejected
 * update is merged into the next update, which keeps its own key, and is deleted by a delete. A watering within ten
 * minutes of an unsent one is the same watering. Entries of the journal: coalesce-entries.ts.
 */
export function coalesce(waiting: readonly Op[], op: NewOp): QueueChange {
  const last = waiting.at(-1);
  if (last?.type === 'delete' && last.state !== 'rejected') return noChange;
  switch (op.type) {
    case 'delete':
      return coalesceDelete(waiting, op);
    case 'update':
      return coalesceUpdate(waiting, op);
    case 'water':
      return coalesceWatering(last, op);
    case 'edit_entry':
    case 'remove_entry':
      return coalesceEntry(waiting, op);
    case 'create':
    case 'add_entry':
    case 'add_photo':
      return { ...noChange, add: op };
    case 'remove_photo':
      return coalescePhotoRemoval(waiting, op);
  }
}

function coalesceWatering(last: Op | undefined, op: NewOp): QueueChange {
  const isSameWatering =
    last?.type === 'water' &&
    isUnsent(last) &&
    Math.abs(op.occurredAt - last.occurredAt) <= sameWateringMs;
  if (!isSameWatering) return { ...noChange, add: op };
  // A tap on the plant's own button is final, so an undo of all waterings no longer includes it.
  if (last.undoUntil === undefined || op.undoUntil !== undefined) return noChange;
  const { undoUntil: _, ...final } = last;
  return { ...noChange, replace: final };
}

/** A photo that the server never had needs no removal. */
function coalescePhotoRemoval(waiting: readonly Op[], op: NewOp): QueueChange {
  const isOwn = (one: Op) => one.type === 'add_photo' && one.photo?.id === op.photo?.id;
  const drop = waiting.filter((one) => isOwn(one) && canDrop(one)).map(({ seq }) => seq);
  return { ...noChange, drop, add: drop.length > 0 ? null : op };
}

/** A delete removes unsent and rejected ops. A plant that the server never had needs no delete op. */
function coalesceDelete(waiting: readonly Op[], op: NewOp): QueueChange {
  const drop = waiting.filter(canDrop).map(({ seq }) => seq);
  const wasNeverCreated = waiting[0]?.type === 'create' && canDrop(waiting[0]);
  return { drop, replace: null, add: wasNeverCreated ? null : op };
}

function coalesceUpdate(waiting: readonly Op[], op: NewOp): QueueChange {
  const [first] = waiting;
  if (first?.type === 'create' && isRejected(first)) return recreated(first, waiting, op);
  const isRejectedUpdate = (one: Op) => one.type === 'update' && isRejected(one);
  const drop = waiting.filter(isRejectedUpdate).map(({ seq }) => seq);
  const last = waiting.filter((one) => !isRejectedUpdate(one)).at(-1);
  const combined = withRejectedEdits(waiting, op);
  return last && isUnsent(last) && (last.type === 'create' || last.type === 'update')
    ? { drop, replace: merged(last, combined), add: null }
    : { drop, replace: null, add: combined };
}

/** For each field the later edit wins and the base of the first edit is kept. */
function merged(last: Op, op: NewOp): Op {
  return {
    ...last,
    edits: { ...last.edits, ...op.edits },
    base: last.type === 'create' ? {} : { ...op.base, ...last.base },
  };
}

/** An edit of a rejected create replaces it at its place in the queue, so that the plant's later ops still follow. */
function recreated(create: Op, waiting: readonly Op[], op: NewOp): QueueChange {
  const edits = waiting.filter((one) => one.type === 'update' && canDrop(one));
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

/** Adds the fields of rejected updates that no later update has overwritten. */
function withRejectedEdits(waiting: readonly Op[], op: NewOp): NewOp {
  const kept = new Map<string, { value: unknown; base: unknown }>();
  for (const { type, state, edits, base } of waiting) {
    if (type !== 'update') continue;
    for (const [name, value] of Object.entries(edits)) {
      const before = kept.get(name)?.base ?? base[name as keyof typeof base];
      if (state === 'rejected') kept.set(name, { value, base: before });
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
