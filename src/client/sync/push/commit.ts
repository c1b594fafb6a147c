import { isFromServer } from '#client/api/http.ts';
import { readClockOffset } from '#client/store/meta.ts';
import { type Op, opTraits } from '#client/store/outbox/op.ts';
import { writeWithRoom } from '#client/store/outbox/write-change.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { groupBy } from '#domain/group-by.ts';
import { backoffMs } from '../backoff.ts';
import { saveClockOffset } from '../clock-offset.ts';
import { saveConnectivity, setStatus } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import { advanceGeneration, invalidateLists, readGeneration } from '../rows/list-state.ts';
import { putPlantIfChanged } from '../rows/plant-rows.ts';
import { type ClaimedOp, filterValidClaims } from './claim.ts';
import type { OpResult } from './classify.ts';
import { confirmOp } from './confirm.ts';
import { isUploadWithoutResponse, type Pause, pauseAfter, postponeUploads } from './pause.ts';
import { rejectOp } from './reject.ts';
import { type Clock, requestOf } from './request.ts';
import type { SendResult, SendResults } from './send.ts';

/** An op is rejected after this many sends whose request was out of date. */
const maxStaleSends = 5;

export interface CommitResult {
  isUnauthorized: boolean;
  /**
   * Whether to pull now: rows may be older than the server's data, or an upload got no response and only a pull shows
   * whether the server responds.
   */
  needsPull: boolean;
  pause: Pause | null;
}

/**
 * Writes the results of a request (rows, outbox and status) in one transaction. An op whose claim is out of date is not
 * changed.
 */
export function commitResults(context: SyncContext, sent: SendResults): Promise<CommitResult> {
  const { db } = context;
  // Dexie keeps a transaction active across native awaits only if its callback is itself an async function.
  const write = async () => await writeResults(context, sent);
  return writeWithRoom(db, () => db.transaction('rw', db.tables, write));
}

async function writeResults(
  context: SyncContext,
  { results: sent, meta }: SendResults,
): Promise<CommitResult> {
  const { db } = context;
  if (meta) {
    const { response, sentAt, receivedAt } = meta;
    const hasResponded = response !== null && isFromServer(response);
    // The clock of a captive portal may be wrong by years.
    if (hasResponded) await saveClockOffset(db, response.serverTime, receivedAt, sentAt);
    // A line may be too slow for photos, or a proxy may refuse them, while the server is reachable.
    const isUpload = sent.some(({ claimed }) => claimed.op.type === 'add_photo');
    if (!isUpload || hasResponded) await saveConnectivity(context, response);
  }
  const clock = { clockOffset: await readClockOffset(db), now: context.now() };
  const results = sent.map((one) => ({
    ...one,
    op: one.claimed.op,
    result: resultByClock(one, clock),
  }));
  const pause = pauseAfter(context, results);
  const valid = await filterValidClaims(db, results);
  const confirmed = valid.filter(isConfirmed);
  const generation = await readGeneration(db);
  const withRows = valid.filter((one) => isConfirmed(one) || hasCurrentRow(one));
  const mayBeOlder = !withRows.every((one) => isNewest(one, generation));
  // Results of different plants are committed in parallel, because every request to IndexedDB waits for another process
  // of the browser.
  const plants = groupBy(valid, ({ claimed }) => claimed.plantId);
  await Promise.all([...plants.values()].map((ofPlant) => commitInOrder(context, ofPlant, pause)));
  if (confirmed.length > 0) await countSent(db, confirmed.length);
  if (withRows.length > 0) await (mayBeOlder ? invalidateLists(db) : advanceGeneration(db));
  return {
    isUnauthorized: results.some(({ result }) => result.type === 'unauthorized'),
    needsPull:
      mayBeOlder ||
      results.some((one) => one.result.type === 'rejected' || isUploadWithoutResponse(one)),
    pause,
  };
}

async function commitInOrder(
  context: SyncContext,
  results: readonly SendResult[],
  pause: Pause | null,
): Promise<void> {
  for (const one of results) await commit(context, one, pause);
}

/**
 * A request may have been rejected because the device's clock was wrong when the request was built, or because another
 * device has changed the time of an old entry. If it would contain another time now, it is built again.
 */
function resultByClock({ claimed, result }: SendResult, clock: Clock): OpResult {
  const { op } = claimed;
  if (result.type !== 'rejected' || result.error.status !== 422) return result;
  if (!opTraits[op.type].hasLimitedTime) return result;
  const again = { ...op, request: null, staleSends: (op.staleSends ?? 0) + 1 };
  const rebuilt = requestOf({ ...claimed, op: again }, undefined, clock);
  const isSame = JSON.stringify(rebuilt?.request) === JSON.stringify(op.request);
  return isSame ? result : { type: 'stale', error: result.error };
}

function isConfirmed({ result, record }: Pick<SendResult, 'result' | 'record'>): boolean {
  return (result.type === 'done' || result.type === 'applied-before') && record !== 'unreadable';
}

/** Whether the response to an update that is out of date contains the plant's current record, which is stored. */
function hasCurrentRow({ claimed, result, record }: SendResult): boolean {
  return claimed.op.type === 'update' && result.type === 'stale' && typeof record !== 'string';
}

/**
 * Whether the response is newer than the rows of `generation`. A repeated response is as old as its first sending, and
 * rows that were written since the claim may be newer than a response that took long.
 */
function isNewest({ claimed, result }: SendResult, generation: number): boolean {
  const isFirst = result.type === 'stale' || (result.type === 'done' && !result.response.replayed);
  return claimed.generation === generation && isFirst;
}

async function countSent(db: DeviceDb, count: number): Promise<void> {
  const { sentCount } = await readStatus(db);
  await setStatus(db, { sentCount: sentCount + count });
}

async function commit(
  context: SyncContext,
  { claimed, result, record }: SendResult,
  pause: Pause | null,
): Promise<unknown> {
  const { db, now, random } = context;
  const { op } = claimed;
  const update = (change: Partial<Op>) => db.outbox.update(op.seq, change);
  switch (result.type) {
    case 'done':
    case 'applied-before':
      return record === 'unreadable'
        ? update({ state: sentState(op), nextAt: now() + backoffMs(op.attempts, random) })
        : confirmOp(context, { claimed, result, record });
    case 'uncertain':
      await update(afterFailure(context, op, result, pause));
      return op.type === 'add_photo' && postponeUploads(context, result.retryAfterMs);
    case 'later':
    case 'released':
    case 'unauthorized':
      return update(asUnclaimed(claimed));
    case 'stale':
      return commitStale(context, claimed, record, result);
    case 'rejected':
      return rejectOp(db, op, result.error);
  }
}

/** The state of an op that was claimed and may have been sent. */
function sentState({ request }: Op): Op['state'] {
  return request ? 'uncertain' : 'queued';
}

function afterFailure(
  { now, random, signal }: SyncContext,
  op: Op,
  { error, retryAfterMs }: OpResult & { type: 'uncertain' },
  pause: Pause | null,
): Partial<Op> {
  const state = sentState(op);
  // This device aborted the request, so the next leader need not wait.
  if (signal.aborted) return { state };
  // All ops of a request without a response are due again at the same time.
  const sharedNextAt = error.status === null ? pause?.until : undefined;
  const ownNextAt = now() + (retryAfterMs ?? backoffMs(op.attempts, random));
  return { state, nextAt: sharedNextAt ?? ownNextAt, lastError: error };
}

/** The op as before the claim: without a frozen request later ops can still be coalesced into it. */
function asUnclaimed({ op, isResend }: ClaimedOp): Partial<Op> {
  const attempts = op.attempts - 1;
  if (isResend) return { attempts, state: 'uncertain' };
  return { attempts, state: 'queued', request: null, overwritten: [] };
}

/**
 * Queues the op again without its request, or rejects it after `maxStaleSends`. The next attempt merges an update into
 * the record that the server sent; if it sent none, it reads the plant first.
 */
async function commitStale(
  { db, now }: SyncContext,
  { op, plantId, isResend }: ClaimedOp,
  current: SendResult['record'],
  { error }: OpResult & { type: 'stale' },
): Promise<unknown> {
  const staleSends = (op.staleSends ?? 0) + 1;
  if (staleSends >= maxStaleSends) return rejectOp(db, op, error);
  if (op.type === 'update') {
    if (typeof current === 'string') {
      await db.plants.update(plantId, { etag: null });
      await advanceGeneration(db);
    } else await putPlantIfChanged(db, current.record, current.etag, now());
  }
  return db.outbox.update(op.seq, {
    state: 'queued',
    request: null,
    // If the op was sent before, that send may have been applied, and these are the values that it overwrote.
    overwritten: isResend ? (op.overwritten ?? []) : [],
    nextAt: 0,
    staleSends,
  });
}
