import { type EntryField, entryFields } from '#domain/journal/entry.ts';
import { changedValues } from '../journal/changed-fields.ts';
import { entryIdOf, isRejected, isUnsent, type NewOp, type Op, type OpEntry } from './op.ts';
import { canDrop, noChange, type OutboxChange } from './outbox-change.ts';

/**
 * Coalesces an edit or a removal of an entry with the plant's pending ops (oldest first). Ops of different entries do
 * not depend on each other, so the op that adds the entry is changed at its place in the outbox, even if other ops
 * follow it.
 */
export function coalesceEntry(pending: readonly Op[], op: NewOp): OutboxChange {
  const id = entryIdOf(op);
  const entryOps = pending.filter((one) => entryIdOf(one) === id);
  if (entryOps.some((one) => one.type === 'remove_entry' && !isRejected(one))) return noChange;
  return op.type === 'remove_entry' ? coalesceRemoval(entryOps, op) : coalesceEdit(entryOps, op);
}

/** `entryOps`: the pending ops of the entry. */
function coalesceEdit(entryOps: readonly Op[], op: NewOp): OutboxChange {
  const addition = entryOps.find(isAddition);
  const edits = entryOps.filter(({ type }) => type === 'edit_entry');
  // After a response that allows a new request an op is unsent again, and other edits may already follow it. If one of
  // these is frozen, the new edit must be sent after it: coalesced into an earlier op, it would be overwritten.
  const afterFrozen = edits.slice(edits.findLastIndex((edit) => !canDrop(edit)) + 1);
  if (addition && op.entry && canDrop(addition) && edits.every(canDrop)) {
    const drop = edits.map(({ seq }) => seq);
    return { ...noChange, drop, replace: withEntry(addition, op.entry) };
  }
  const [unsent, ...later] = afterFrozen.filter(isUnsent);
  const dropped = [...edits.filter(isRejected), ...later];
  const drop = dropped.map(({ seq }) => seq);
  const values = afterEarlier(op, unsent ? [unsent, ...dropped] : dropped);
  if (unsent) return { drop, replace: { ...unsent, ...values }, add: null };
  const isEmpty = values.entry?.changed?.length === 0;
  return { ...noChange, drop, add: isEmpty ? null : { ...op, ...values } };
}

/** An entry that the server never had needs no removal. */
function coalesceRemoval(entryOps: readonly Op[], op: NewOp): OutboxChange {
  const drop = entryOps.filter(canDrop);
  const wasNeverAdded = drop.some(isAddition);
  const edits = drop.filter(({ type }) => type === 'edit_entry');
  return {
    drop: drop.map(({ seq }) => seq),
    replace: null,
    add: wasNeverAdded ? null : { ...op, ...afterEarlier(op, edits) },
  };
}

/**
 * The entry and the known entries of `op` if it replaces `earlier` edits. Its entry has their values, because it was
 * shown with them, so only the list of changed fields is extended. If one of them restores a time of the server, the
 * time is still sent as the server's. The time before the change is taken from the first unsent edit of the time.
 */
function afterEarlier(op: NewOp, earlier: readonly Op[]): Pick<NewOp, 'entry' | 'known'> {
  const { type, entry, known } = op;
  const edits = type === 'edit_entry' ? [...earlier, op] : earlier;
  const changed = entryFields.filter((field) => edits.some((edit) => changes(edit, field)));
  const moved = earlier.find((edit) => isUnsent(edit) && changes(edit, 'at'));
  const before = moved?.known?.before;
  const restored = earlier.find((edit) => edit.entry?.isServerTime && edit.entry.at === entry?.at);
  const isServerTime = restored && { isServerTime: true as const };
  return {
    ...(entry && { entry: earlier.length > 0 ? { ...entry, ...isServerTime, changed } : entry }),
    ...(known && { known: before === undefined ? known : { ...known, before } }),
  };
}

function changes({ entry }: NewOp, field: EntryField): boolean {
  return entry !== undefined && field in changedValues(entry);
}

function isAddition({ type }: Op): boolean {
  return type === 'add_entry' || type === 'water';
}

/**
 * The op that adds the entry, with other values. It is queued again if it was rejected. An op of type water becomes one
 * of type add_entry.
 */
export function withEntry(addition: Op, { changed: _changed, ...entry }: OpEntry): Op {
  const { undoUntil: _, ...op } = addition;
  return {
    ...op,
    type: 'add_entry',
    entry,
    state: 'queued',
    request: null,
    nextAt: 0,
    lastError: null,
    isNoticed: false,
  };
}
