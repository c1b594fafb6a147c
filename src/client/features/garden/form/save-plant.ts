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
  | { is: 'saved'; isWaiting: boolean }
  /** `opId`: taken back, so that the same once more may use it again. */
  | { is: 'refused'; message: string; opId: string | null };

/** Keeps what the wizard holds and waits for the server's first answer; `plant` is null for a new one. */
export async function savePlant(
  db: DeviceDb,
  plant: PlantWithPending | null,
  values: PlantFormValues,
  opId: string,
): Promise<Saved> {
  const submission = await submit(db, plant, values, opId);
  if (!submission) return { is: 'saved', isWaiting: false };
  const outcome = await waitForAnswer(db, submission.opId);
  if (outcome.type !== 'refused') return { is: 'saved', isWaiting: outcome.type === 'waiting' };
  const message = outcome.message || failureText(plant);
  console.warn(message);
  // With older changes in it the op stays, marked on the plant, whatever becomes of the form.
  if (!submission.isOwn) return { is: 'refused', message, opId: null };
  const isBack = await withdrawOp(db, opId);
  return isBack ? { is: 'refused', message, opId } : { is: 'saved', isWaiting: true };
}

/** The catalogue's words for a failure without any (spec section 8). */
export function failureText(plant: PlantWithPending | null): string {
  return plant ? `Failed to update plant with ID ${plant.key}` : 'Failed to create plant';
}

/** null when there is nothing to do. */
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
