import * as v from 'valibot';
import { type Answer, send } from '#api/send.ts';
import { plantRecordSchema, plantRequest } from '#contract/plants.ts';
import type { DeviceDb } from '#data/db.ts';
import type { Op } from '#data/op.ts';
import type { PlantRecord } from '#domain/plant.ts';
import { backoffMs } from './backoff.ts';
import type { Fate } from './classify.ts';
import { callOf, type SyncContext } from './context.ts';
import { putPlantIfNew } from './plant-rows.ts';

const sendsUntilParked = 5;

/**
 * Writes an op's fate, row and queue in one transaction. Nothing is written when the op was sent again meanwhile:
 * then this is the outcome of an attempt that no longer counts.
 */
export async function applyFate(
  context: SyncContext,
  op: Op,
  plantId: string,
  fate: Fate,
): Promise<void> {
  if (fate.is === 'done' || fate.is === 'landed') {
    const record = await confirmedRecord(context, op, plantId, fate);
    if (record !== 'unknown') return settle(context, op, plantId, record);
    return keep(context, op, { state: 'uncertain', nextAt: delayed(context, op, null) });
  }
  switch (fate.is) {
    case 'uncertain':
      return keep(context, op, {
        state: op.request ? 'uncertain' : 'queued',
        nextAt: delayed(context, op, fate.retryAfterMs),
        lastError: fate.error,
      });
    case 'later':
    case 'unauthorized':
      // Not an attempt: the op is as it was, and a frozen request stays frozen.
      return keep(context, op, { state: op.request ? 'uncertain' : 'queued' });
    case 'outdated':
      return op.attempts >= sendsUntilParked
        ? keep(context, op, { state: 'parked', lastError: fate.error })
        : keep(context, op, { state: 'queued', request: null, nextAt: 0 });
    case 'refused':
      return keep(context, op, { state: 'parked', lastError: fate.error });
  }
}

function delayed({ now, random }: SyncContext, op: Op, retryAfterMs: number | null): number {
  return now() + (retryAfterMs ?? backoffMs(op.attempts, random));
}

async function keep({ db }: SyncContext, op: Op, change: Partial<Op>): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts === op.attempts) await db.outbox.update(op.seq, change);
  });
}

/** The op's effect is confirmed: what it left behind becomes the row, and the op goes. */
async function settle(
  { db, now }: SyncContext,
  op: Op,
  plantId: string,
  confirmed: { record: PlantRecord; etag: string | null } | null,
): Promise<void> {
  await db.transaction('rw', db.outbox, db.plants, db.readings, db.idmap, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return;
    await db.outbox.delete(op.seq);
    if (op.kind === 'delete') await forgetPlant(db, plantId);
    if (!confirmed) return;
    if (op.kind === 'create') {
      await db.idmap.put({ localId: op.entity, serverId: String(confirmed.record.id) });
    }
    await putPlantIfNew(db, confirmed.record, confirmed.etag, now());
  });
}

async function forgetPlant(db: DeviceDb, plantId: string): Promise<void> {
  await db.plants.delete(plantId);
  await db.readings.delete(plantId);
}

/**
 * The record behind a success: the answer's own when it is whole and of this plant, else asked for.
 * null when there is none to have, 'unknown' when asking failed.
 */
async function confirmedRecord(
  context: SyncContext,
  op: Op,
  plantId: string,
  fate: Fate & { is: 'done' | 'landed' },
): Promise<{ record: PlantRecord; etag: string | null } | null | 'unknown'> {
  if (op.kind === 'delete') return null;
  const own = fate.is === 'done' ? recordIn(fate.answer) : null;
  if (own && (op.kind === 'create' || String(own.record.id) === plantId)) return own;
  // A create that landed earlier is known to the server alone; the next pull brings it.
  if (op.kind === 'create') return fate.is === 'landed' ? null : 'unknown';
  const answer = await send(plantRequest(plantId), callOf(context)).catch(() => null);
  if (answer?.status === 404) return null;
  return (answer?.ok && recordIn(answer)) || 'unknown';
}

function recordIn({ body, etag }: Answer): { record: PlantRecord; etag: string | null } | null {
  const parsed = v.safeParse(plantRecordSchema, body);
  return parsed.success ? { record: parsed.output, etag } : null;
}
