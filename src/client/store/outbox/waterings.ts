import type { DeviceDb } from '../schema.ts';
import { enqueue } from './enqueue.ts';
import { newOp } from './op.ts';
import { newOpId } from './op-id.ts';

/**
 * Records that the person watered a plant at `now` (ms, device's clock). Done when it is kept on the device; sync
 * brings it to the server once. A second tap within ten minutes of an unsent one is the same watering.
 * Answers the id to wait for its outcome with.
 */
export function addWatering(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  return enqueue(db, newOp({ opId: newOpId(), entity: plantKey, type: 'water', occurredAt: now }));
}
