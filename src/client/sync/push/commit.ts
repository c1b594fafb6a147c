import { readClockOffset } from '#client/store/meta.ts';
import type { Op, OpError } from '#client/store/outbox/op.ts';
import { opsOfPlant } from '#client/store/outbox/queue.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { backoffMs } from '../backoff.ts';
import { saveClockOffset } from '../clock-offset.ts';
import { recordConnectivity, setStatus } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import { invalidateLists } from '../pull/list-state.ts';
import { deletePlantRows, putPlantIfNew } from '../pull/plant-rows.ts';
import { isStillClaimed } from './claim.ts';
import type { OpResult } from './classify.ts';
import type { ConfirmedRecord } from './plant-record.ts';
import type { SendResult } from './send.ts';

/** An op is rejected after this many sends that failed because the plant had changed on the server. */
const maxStaleSends = 5;

/**
 * Writes the result of an attempt (row, queue and status) in one transaction. If the claim is out of date, the op is
 * not changed. Returns the result that was applied.
 */
export function commitResult(context: SyncContext, sent: SendResult): Promise<OpResult> {
  const { db } = context;
  return db.transaction('rw', db.tables, async () => {
    await recordMeta(context, sent);
    const result = await resultByClock(context, sent);
    if (await isStillClaimed(db, sent.claimed.op)) await apply(context, { ...sent, result });
    return result;
  });
}

/** A response updates clock offset and connectivity even if the op has been claimed by another engine. */
async function recordMeta(context: SyncContext, { meta }: SendResult): Promise<void> {
  if (!meta) return;
  const { response, sentAt, receivedAt } = meta;
  await saveClockOffset(context.db, response?.serverTime ?? null, receivedAt, sentAt);
  await recordConnectivity(context, response);
}

/** A watering refused after the clock offset changed was sent with a wrong moment: rebuild its request. */
async function resultByClock(
  { db }: SyncContext,
  { claimed, result, meta }: SendResult,
): Promise<OpResult> {
  if (!meta || claimed.op.type !== 'water' || result.type !== 'refused') return result;
  const isMistimed = claimed.clockOffset !== (await readClockOffset(db));
  return isMistimed ? { type: 'outdated', error: result.error } : result;
}

async function apply(context: SyncContext, sent: SendResult): Promise<unknown> {
  const { claimed, result, record } = sent;
  const { op, isResend } = claimed;
  const update = (change: Partial<Op>) => context.db.outbox.update(op.seq, change);
  const state = op.request ? 'uncertain' : 'queued';
  switch (result.type) {
    case 'done':
    case 'landed':
      if (record !== 'unreadable') return confirm(context, sent, record);
      return update({ state, nextAt: retryAt(context, op, null) });
    case 'uncertain':
      // Interrupted by this device itself: the next leader need not wait.
      if (context.signal.aborted) return update({ state });
      return update({
        state,
        nextAt: retryAt(context, op, result.retryAfterMs),
        lastError: result.error,
      });
    case 'later':
    case 'unauthorized':
      // As if it had not been claimed: what was never frozen may still be merged into.
      return update({
        attempts: op.attempts - 1,
        ...(isResend
          ? { state: 'uncertain' }
          : { state: 'queued', request: null, overwritten: [] }),
      });
    case 'outdated': {
      const staleSends = (op.staleSends ?? 0) + 1;
      if (staleSends >= maxStaleSends) return reject(context, op, result.error);
      return update({
        state: 'queued',
        request: null,
        // An earlier send may have had its effect after all: then this is what it overwrote.
        overwritten: (isResend && op.overwritten) || [],
        nextAt: 0,
        staleSends,
      });
    }
    case 'refused':
      return reject(context, op, result.error);
  }
}

function retryAt({ now, random }: SyncContext, op: Op, retryAfterMs: number | null): number {
  return now() + (retryAfterMs ?? backoffMs(op.attempts, random));
}

/** The effect is there: its record becomes the row, what it overwrote becomes conflicts, and the op goes. */
async function confirm(
  { db, now }: SyncContext,
  { claimed: { op, plantId } }: SendResult,
  record: ConfirmedRecord | 'none',
): Promise<void> {
  const { sentCount } = await readStatus(db);
  await db.outbox.delete(op.seq);
  await setStatus(db, { sentCount: sentCount + 1 });
  await invalidateLists(db);
  for (const { mine, theirs } of op.overwritten ?? []) {
    const [field] = Object.keys(mine);
    await db.conflicts.put({
      id: `${op.opId} ${field}`,
      entity: op.entity,
      mine,
      theirs,
      at: now(),
    });
  }
  if (op.type === 'delete') await deletePlantRows(db, [plantId]);
  if (record === 'none') return;
  if (op.type === 'create') {
    await db.idmap.put({ localId: op.entity, serverId: String(record.record.id) });
  }
  await putPlantIfNew(db, record.record, record.etag, now());
}

/** A plant that was never made needs no deleting: both ops go, with all between. */
async function reject({ db }: SyncContext, op: Op, lastError: OpError): Promise<void> {
  const ops = await opsOfPlant(db, op.entity);
  if (op.type === 'create' && ops.some(({ type }) => type === 'delete')) {
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
  } else await db.outbox.update(op.seq, { state: 'rejected', lastError, staleSends: 0 });
}
