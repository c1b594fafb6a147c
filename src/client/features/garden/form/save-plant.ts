import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { fieldsOfRecord } from '#client/store/outbox/enqueue.ts';
import { isUnlock } from '#client/store/outbox/op.ts';
import { waitForAnswer } from '#client/store/outbox/op-answer.ts';
import {
  addPlant,
  changePlant,
  type Submission,
  withdrawOp,
} from '#client/store/outbox/plant-changes.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fieldsOf, type PlantFormValues, plantEdit } from '#domain/plant/form.ts';

export type SaveResult =
  | { type: 'saved'; isWaiting: boolean }
  /** The plant was deleted elsewhere. The change stays in the outbox, from which the plant can be restored. */
  | { type: 'gone' }
  /**
   * `opId`: the id of the withdrawn op; null if it stays in the outbox. Adding the plant again reuses the id as the
   * idempotency key, together with the time.
   */
  | { type: 'failed'; message: string; opId: string | null };

/** The id and the time of the op. Both are part of the request that adds a plant. */
export interface SaveKey {
  opId: string;
  /** Device's clock, ms. */
  at: number;
}

/**
 * Writes the form's values into the outbox and waits for the server's first answer; `plant` is null for a new one. If
 * the answer is an error and the form is still open with its values, an op without older changes is withdrawn, unless
 * the plant was deleted elsewhere.
 */
export async function savePlant(
  db: DeviceDb,
  plant: PlantWithPending | null,
  values: PlantFormValues,
  { opId, at, isOpen }: SaveKey & { isOpen: () => boolean },
): Promise<SaveResult> {
  const submission = await submit(db, plant, values, { opId, at });
  if (!submission) return { type: 'saved', isWaiting: false };
  const answer = await waitForAnswer(db, submission.opId);
  if (answer.type !== 'failed') return { type: 'saved', isWaiting: answer.type === 'waiting' };
  const message = answer.message || failureText(plant);
  console.warn(message);
  if (answer.isGone) return { type: 'gone' };
  // The op also contains older changes, or the form is closed and only the op has the values: it stays in the outbox
  // and the plant shows a mark.
  if (!submission.isOwn || !isOpen()) return { type: 'failed', message, opId: null };
  const isWithdrawn = await withdrawOp(db, opId);
  return isWithdrawn ? { type: 'failed', message, opId } : { type: 'saved', isWaiting: true };
}

/** The text for a change that failed without a message or could not be stored. */
export function failureText(plant: PlantWithPending | null): string {
  return plant ? `Failed to update plant with ID ${plant.key}` : 'Failed to create plant';
}

/**
 * Writes the change to the outbox, with the fields of rejected edits; null if there is neither, and automatic watering
 * is not locked. Saving a locked plant unlocks it even if nothing was changed.
 */
async function submit(
  db: DeviceDb,
  plant: PlantWithPending | null,
  values: PlantFormValues,
  { opId, at }: SaveKey,
): Promise<Submission | null> {
  if (!plant) return addPlant(db, fieldsOf(values), at, opId);
  const { edits } = plantEdit(plant.record, values);
  const hasEdits = Object.keys(edits).length > 0;
  // The outbox adds the fields of rejected edits to the new op.
  const hasRejected = plant.rejected.some(
    (op) => op.type === 'create' || (op.type === 'update' && !isUnlock(op)),
  );
  const isLocked =
    plant.record.auto_watering_enabled === true && plant.record.auto_watering_reason === 'locked';
  const mustUnlock = isLocked && !hasEdits;
  // With all fields as they were before: if the plant was deleted elsewhere, it can be restored from them.
  const base = fieldsOfRecord(plant.record);
  const unlock = { edits: { auto_watering_enabled: true }, base };
  if (hasEdits || hasRejected) {
    const submission = await changePlant(db, plant.key, { edits, base }, at, opId);
    // Rejected edits may be of only the picture or the reminders, which does not unlock the plant.
    if (mustUnlock) await changePlant(db, plant.key, unlock, at);
    return submission;
  }
  return mustUnlock ? changePlant(db, plant.key, unlock, at, opId) : null;
}
