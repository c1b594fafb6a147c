import { readClockOffset } from '#client/store/meta.ts';
import { isPhotoOp, type Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { backoffMs } from '../backoff.ts';
import { saveClockOffset } from '../clock-offset.ts';
import { recordConnectivity, setStatus } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import { confirmPhoto } from '../photos/confirm-photo.ts';
import { advanceGeneration, invalidateLists, readGeneration } from '../pull/list-state.ts';
import { deletePlantRows, putPlantIfNew } from '../pull/plant-rows.ts';
import { stillClaimed } from './claim.ts';
import type { OpResult } from './classify.ts';
import { storeConfirmedEntry } from './confirmed-entry.ts';
import { type Pause, pauseAfter } from './pause.ts';
import type { ConfirmedRecord } from './plant-record.ts';
import { rejectOp } from './reject.ts';
import type { SendResult, Sent } from './send.ts';

/** An op is rejected after this many sends that failed because the plant had changed on the server. */
const maxStaleSends = 5;

export interface Committed {
  isUnauthorized: boolean;
  /** Whether to pull now, because rows may be older than the server's data. */
  needsPull: boolean;
  pause: Pause | null;
}

/**
 * Writes the results of a request (rows, queue and status) in one transaction. An op whose claim is out of date is not
 * changed.
 */
export function commitResults(context: SyncContext, sent: Sent): Promise<Committed> {
  const { db } = context;
  return db.transaction('rw', db.tables, async () => {
    await recordMeta(context, sent);
    const offset = await readClockOffset(db);
    const all = sent.results.map((one) => ({
      ...one,
      op: one.claimed.op,
      result: resultByClock(one, offset),
    }));
    const pause = pauseAfter(context, all);
    const applied = await stillClaimed(db, all);
    const confirmed = applied.filter(isConfirmed);
    const generation = await readGeneration(db);
    const isOutdated = !confirmed.every((one) => isNewest(one, generation));
    for (const one of applied) await apply(context, one, pause);
    if (confirmed.length > 0) await countConfirmed(db, confirmed.length, isOutdated);
    return {
      isUnauthorized: all.some(({ result }) => result.type === 'unauthorized'),
      needsPull: isOutdated || all.some(({ result }) => result.type === 'rejected'),
      pause,
    };
  });
}

/** A response updates clock offset and connectivity even if its ops have been claimed by another engine. */
async function recordMeta(context: SyncContext, { meta }: Sent): Promise<void> {
  if (!meta) return;
  const { response, sentAt, receivedAt } = meta;
  await saveClockOffset(context.db, response?.serverTime ?? null, receivedAt, sentAt);
  await recordConnectivity(context, response);
}

/**
 * A request that was rejected may have contained a wrong time if the clock offset has changed since: it is built again.
 */
function resultByClock({ claimed, result }: SendResult, offset: number): OpResult {
  const isMistimed = hasMoment(claimed.op) && claimed.clockOffset !== offset;
  return isMistimed && result.type === 'rejected'
    ? { type: 'outdated', error: result.error }
    : result;
}

function hasMoment({ type }: Op): boolean {
  return type === 'water' || type === 'add_entry' || type === 'edit_entry' || type === 'add_photo';
}

function isConfirmed({ result, record }: Pick<SendResult, 'result' | 'record'>): boolean {
  return (result.type === 'done' || result.type === 'landed') && record !== 'unreadable';
}

/**
 * Whether the response is newer than the rows of `generation`. A repeated response is as old as its first sending, and
 * rows that were written since the claim may be newer than a response that took long.
 */
function isNewest({ claimed, result }: SendResult, generation: number): boolean {
  return claimed.generation === generation && result.type === 'done' && !result.response.replayed;
}

async function countConfirmed(db: DeviceDb, count: number, isOutdated: boolean): Promise<void> {
  const { sentCount } = await readStatus(db);
  await setStatus(db, { sentCount: sentCount + count });
  await (isOutdated ? invalidateLists(db) : advanceGeneration(db));
}

async function apply(
  context: SyncContext,
  { claimed, result, record }: SendResult,
  pause: Pause | null,
): Promise<unknown> {
  const { db, now, random, signal } = context;
  const { op, plantId, isResend } = claimed;
  const update = (change: Partial<Op>) => db.outbox.update(op.seq, change);
  const state = op.request ? 'uncertain' : 'queued';
  switch (result.type) {
    case 'done':
    case 'landed':
      if (record !== 'unreadable') return confirm(context, { claimed, result, record });
      return update({ state, nextAt: now() + backoffMs(op.attempts, random) });
    case 'uncertain': {
      // This device aborted the request, so the next leader need not wait.
      if (signal.aborted) return update({ state });
      const ownUntil = now() + (result.retryAfterMs ?? backoffMs(op.attempts, random));
      // All ops of a request without a response are due again at the same time.
      const nextAt = (result.error.status === null && pause?.until) || ownUntil;
      return update({ state, nextAt, lastError: result.error });
    }
    case 'later':
    case 'released':
    case 'unauthorized':
      // As if it had not been claimed: an op without a frozen request can still be merged into.
      return update({
        attempts: op.attempts - 1,
        ...(isResend
          ? { state: 'uncertain' }
          : { state: 'queued', request: null, overwritten: [] }),
      });
    case 'outdated': {
      const staleSends = (op.staleSends ?? 0) + 1;
      if (staleSends >= maxStaleSends) return rejectOp(db, op, result.error);
      if (op.type === 'update') await replaceOutdated(context, plantId, record);
      return update({
        state: 'queued',
        request: null,
        // If an earlier send was applied after all, these are the values that it overwrote.
        overwritten: (isResend && op.overwritten) || [],
        nextAt: 0,
        staleSends,
      });
    }
    case 'rejected':
      return rejectOp(db, op, result.error);
  }
}

/** The next request is merged into the record that the server sent; without one the plant is read first. */
async function replaceOutdated(
  { db, now }: SyncContext,
  plantId: string,
  current: SendResult['record'],
): Promise<void> {
  if (typeof current === 'string') await db.plants.update(plantId, { etag: null });
  else await putPlantIfNew(db, current.record, current.etag, now());
  await advanceGeneration(db);
}

type Confirmed = SendResult & { record: ConfirmedRecord | 'none' };

/**
 * The server has applied the op: stores its record as the row and what it overwrote as conflicts, and deletes the op.
 */
async function confirm(
  { db, now }: SyncContext,
  { claimed: { op, plantId }, result, record }: Confirmed,
): Promise<void> {
  await db.outbox.delete(op.seq);
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
  if (isPhotoOp(op)) {
    // An error response to a new photo says that it was deleted elsewhere after an earlier attempt.
    const isStored = op.type === 'add_photo' && !(result.type === 'done' && !result.response.ok);
    const plant = record === 'none' ? null : record.record;
    await confirmPhoto(db, op, { plantId, plant, isStored });
  }
  if (record === 'none') return;
  if (op.type === 'create') {
    await db.idmap.put({ localId: op.entity, serverId: String(record.record.id) });
  }
  await storeConfirmedEntry(db, op, record.record);
  await putPlantIfNew(db, record.record, record.etag, now());
}
