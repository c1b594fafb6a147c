import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { waitForAnswer } from '#client/store/outbox/op-answer.ts';
import {
  addPlant,
  changePlant,
  type Submission,
  withdrawOp,
} from '#client/store/outbox/plant-changes.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fieldsOf, type PlantFormValues, plantEdit } from '#domain/plant/form.ts';

export type Saved =
  | { type: 'saved'; isWaiting: boolean }
  /** `opId`: of the withdrawn op, so that saving the same values again keeps its idempotency key. */
  | { type: 'refused'; message: string; opId: string | null };

/** Writes the form's values into the outbox and waits for the server's first answer; `plant` is null for a new one. */
export async function savePlant(
  db: DeviceDb,
  plant: PlantWithPending | null,
  values: PlantFormValues,
  opId: string,
): Promise<Saved> {
  const submission = await submit(db, plant, values, opId);
  if (!submission) return { type: 'saved', isWaiting: false };
  const answer = await waitForAnswer(db, submission.opId);
  if (answer.type !== 'refused') return { type: 'saved', isWaiting: answer.type === 'waiting' };
  const message = answer.message || failureText(plant);
  console.warn(message);
  // The op also carries older changes, so it stays in the outbox and is marked on the plant.
  if (!submission.isOwn) return { type: 'refused', message, opId: null };
  const isWithdrawn = await withdrawOp(db, opId);
  return isWithdrawn ? { type: 'refused', message, opId } : { type: 'saved', isWaiting: true };
}

/** The text for a refusal without a message (spec section 8). */
export function failureText(plant: PlantWithPending | null): string {
  return plant ? `Failed to update plant with ID ${plant.key}` : 'Failed to create plant';
}

/** Null when nothing was changed. */
async function submit(
  db: DeviceDb,
  plant: PlantWithPending | null,
  values: PlantFormValues,
  opId: string,
): Promise<Submission | null> {
  if (!plant) return addPlant(db, fieldsOf(values), Date.now(), opId);
  const edit = plantEdit(plant.record, values);
  const hasRefused = plant.rejected.some(({ type }) => type === 'create' || type === 'update');
  const isNothing = Object.keys(edit.edits).length === 0 && !hasRefused;
  return isNothing ? null : changePlant(db, plant.key, edit, Date.now(), opId);
}
