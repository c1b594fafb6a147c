import { coalesceEntry } from './coalesce-entries.ts';
import { isRejected, isUnlock, isUnsent, type NewOp, type Op } from './op.ts';
import { canDrop, noChange, type OutboxChange } from './outbox-change.ts';

const sameWateringMs = 10 * 60_000;

/**
 * Coalesces a new op with the plant's pending ops (oldest first, rejected ones too). An op with a frozen request is not
 * changed unless it was rejected, because the server may know its key together with the bytes that were sent.
 *
 *   new op         result
 *   delete         Unsent and rejected ops are dropped. Nothing is added if the create is one of them.
 *   update         Coalesced into the last op if that is an unsent create or update, otherwise added. Rejected updates
 *                  are dropped, and their fields taken over unless a later update has changed them. A rejected create
 *                  is replaced by one with the new fields. An unlock (isUnlock) and an edit are not coalesced, because
 *                  the server does not unlock a plant if only its picture or its reminders change. So neither drops a
 *                  rejected one of the other kind.
 *   water          Nothing is added if the last op is an unsent watering within ten minutes.
 *   remove_photo   An unsent or rejected add_photo of this photo is dropped. Nothing is added if it was unsent.
 *   edit_entry, remove_entry: coalesce-entries.ts
 *   any other      Added.
 *
 * Nothing is added after a delete, unless that was rejected.
 */
export function coalesce(pending: readonly Op[], op: NewOp): OutboxChange {
  const last = pending.at(-1);
  if (last?.type === 'delete' && last.state !== 'rejected') return noChange;
  switch (op.type) {
    case 'delete':
      return coalesceDelete(pending, op);
    case 'update':
      return coalesceUpdate(pending, op);
    case 'water':
      return coalesceWatering(last, op);
    case 'edit_entry':
    case 'remove_entry':
      return coalesceEntry(pending, op);
    case 'create':
    case 'add_entry':
    case 'add_photo':
      return { ...noChange, add: op };
    case 'remove_photo':
      return coalescePhotoRemoval(pending, op);
  }
}

function coalesceWatering(last: Op | undefined, op: NewOp): OutboxChange {
  const isSameWatering =
    last?.type === 'water' &&
    isUnsent(last) &&
    Math.abs(op.occurredAt - last.occurredAt) <= sameWateringMs;
  if (!isSameWatering) return { ...noChange, add: op };
  // A watering without an undo period, e.g. a tap on the plant's own button, makes the earlier one final. Undoing all
  // waterings then no longer removes it.
  if (last.undoUntil === undefined || op.undoUntil !== undefined) return noChange;
  const { undoUntil: _, ...final } = last;
  return { ...noChange, replace: final };
}

/**
 * A photo that was never sent needs no removal. A rejected one does: an earlier attempt may have been applied and its
 * response lost, and the plant deleted since.
 */
function coalescePhotoRemoval(pending: readonly Op[], op: NewOp): OutboxChange {
  const isOwn = (one: Op) => one.type === 'add_photo' && one.photo?.id === op.photo?.id;
  const additions = pending.filter((one) => isOwn(one) && canDrop(one));
  const wasNeverSent = additions.some((one) => isUnsent(one) && one.attempts === 0);
  return { ...noChange, drop: additions.map(({ seq }) => seq), add: wasNeverSent ? null : op };
}

/** A delete removes unsent and rejected ops. A plant that the server never had needs no delete op. */
function coalesceDelete(pending: readonly Op[], op: NewOp): OutboxChange {
  const drop = pending.filter(canDrop).map(({ seq }) => seq);
  const wasNeverCreated = pending[0]?.type === 'create' && canDrop(pending[0]);
  return { drop, replace: null, add: wasNeverCreated ? null : op };
}

function coalesceUpdate(pending: readonly Op[], op: NewOp): OutboxChange {
  const [first] = pending;
  if (first?.type === 'create' && isRejected(first)) return recreate(first, pending, op);
  const rejected = pending.filter(
    (one) => one.type === 'update' && isRejected(one) && isUnlock(one) === isUnlock(op),
  );
  const drop = rejected.map(({ seq }) => seq);
  const last = pending.filter((one) => !rejected.includes(one)).at(-1);
  const update = isUnlock(op) ? op : withRejectedEdits(pending, op);
  const isEditable = last?.type === 'create' || last?.type === 'update';
  return last && isEditable && isUnsent(last) && isUnlock(last) === isUnlock(update)
    ? { drop, replace: combine(last, update), add: null }
    : { drop, replace: null, add: update };
}

/**
 * For each field the later edit wins. A field that the first op edited keeps the base of the first op. Any other field
 * takes the base of the second op, since another device may have changed the field in between. A create keeps the time
 * at which the plant was added.
 */
function combine(last: Op, op: NewOp): Op {
  const firstBase = Object.entries(last.base).filter(
    ([name]) => name in last.edits || !(name in op.base),
  );
  return {
    ...last,
    edits: { ...last.edits, ...op.edits },
    base: last.type === 'create' ? {} : { ...op.base, ...Object.fromEntries(firstBase) },
    occurredAt: last.type === 'create' ? last.occurredAt : op.occurredAt,
  };
}

/** An edit of a rejected create replaces it at its place in the outbox, so that the plant's later ops still follow. */
function recreate(create: Op, pending: readonly Op[], op: NewOp): OutboxChange {
  const edits = pending.filter((one) => one.type === 'update' && canDrop(one));
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
function withRejectedEdits(pending: readonly Op[], op: NewOp): NewOp {
  const kept = new Map<string, { value: unknown; base: unknown }>();
  for (const { type, state, edits, base } of pending) {
    // An unlock edits nothing: as an edit it would turn automatic watering on again.
    if (type !== 'update' || isUnlock({ type, edits, base })) continue;
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
