import { withEntry } from '#client/store/outbox/coalesce-entries.ts';
import { entryIdOf, type Op, type OpError } from '#client/store/outbox/op.ts';
import { opsOfPlant } from '#client/store/outbox/outbox.ts';
import { deleteStoredPhoto } from '#client/store/photos/photo-files.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/**
 * Marks an op as rejected by the server, in the caller's transaction. If a later op deletes the plant or entry that
 * the rejected op was to create, all ops of that plant or entry are removed; if it deletes the photo, only the rejected
 * op is. Edits of an entry that was not added are coalesced into the op that adds it.
 */
export async function rejectOp(db: DeviceDb, op: Op, lastError: OpError): Promise<void> {
  const rejected = { state: 'rejected', lastError, staleSends: 0 } as const;
  const ops = await opsOfPlant(db, op.entity);
  if (op.type === 'create' && ops.some(({ type }) => type === 'delete')) {
    await db.outbox.bulkDelete(seqsOf(ops));
  } else if (op.type === 'add_entry' || op.type === 'water') {
    await rejectEntry(db, op, rejected, ops);
  } else if (op.type === 'add_photo') {
    await rejectPhoto(db, op, rejected, ops);
  } else await db.outbox.update(op.seq, rejected);
}

type Rejected = Pick<Op, 'state' | 'lastError' | 'staleSends'>;

/**
 * `op` adds the entry. Later ops of the entry are removed even if they have been sent, perhaps in the same batch: the
 * server cannot have applied them, because it does not have the entry.
 */
async function rejectEntry(
  db: DeviceDb,
  op: Op,
  rejected: Rejected,
  ops: readonly Op[],
): Promise<void> {
  const later = ops.filter((one) => one.seq !== op.seq && entryIdOf(one) === entryIdOf(op));
  await db.outbox.bulkDelete(seqsOf(later));
  const last = later.at(-1);
  if (last?.type === 'remove_entry') return db.outbox.delete(op.seq);
  if (last?.entry) await db.outbox.put({ ...withEntry(op, last.entry), ...rejected });
  else await db.outbox.update(op.seq, rejected);
}

async function rejectPhoto(
  db: DeviceDb,
  op: Op,
  rejected: Rejected,
  ops: readonly Op[],
): Promise<void> {
  const { id = '' } = op.photo ?? {};
  const own = ops.filter(({ photo }) => photo?.id === id);
  if (!own.some(({ type }) => type === 'remove_photo')) {
    await db.outbox.update(op.seq, rejected);
    return;
  }
  // The removal stays: an earlier attempt may have been applied, so the stored journal may contain the photo.
  await db.outbox.delete(op.seq);
  await deleteStoredPhoto(db, id);
}

function seqsOf(ops: readonly Op[]): number[] {
  return ops.map(({ seq }) => seq);
}
