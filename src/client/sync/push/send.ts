import { sendBatch } from '#client/api/batch.ts';
import { isFromServer } from '#client/api/http.ts';
import { type ApiResponse, NoResponse, send } from '#client/api/send.ts';
import { readClockOffset } from '#client/store/meta.ts';
import type { ApiRequest } from '#contract/request.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { type ClaimedOp, filterValidClaims } from './claim.ts';
import { classify, classifyBatch, hasNoBatches, type OpResult } from './classify.ts';
import { type ConfirmedRecord, confirmedRecord, readPlant, recordIn } from './plant-record.ts';
import { updateRequestOf } from './request.ts';
import { readPhotoFiles, sendPhoto } from './send-photo.ts';

/** The result of one attempt to send an op. Nothing of it is written yet. */
export interface SendResult {
  /** The claim, with the op as it was sent. */
  claimed: ClaimedOp;
  result: OpResult;
  /**
   * The plant's record on the server; none: the plant does not exist, or the op was not sent · unreadable: not known.
   */
  record: ConfirmedRecord | 'none' | 'unreadable';
}

/** The results of one request: one for each op that it contained. */
export interface SendResults {
  results: SendResult[];
  /**
   * The last request, which may only have read the plant. Null if there was none, e.g. because the photo is missing, or
   * if the claim of an op was no longer valid.
   */
  meta: ResponseMeta | null;
}

export interface ResponseMeta {
  response: ApiResponse | null;
  /** Device's clock, ms. */
  sentAt: number;
  receivedAt: number;
}

/** A claimed op with its frozen request. */
type FrozenOp = ClaimedOp & { op: { request: ApiRequest } };

/**
 * Sends claimed ops: a single one by its own call, several as a batch. For an update without a request the plant is
 * read first. Does not reject after a network failure: every op then has the result 'uncertain'. An update that another
 * engine has claimed while its plant was read has no result.
 */
export async function sendOps(
  context: SyncContext,
  claimed: readonly ClaimedOp[],
): Promise<SendResults> {
  const [first, ...others] = claimed;
  if (!first || others.length > 0) return sendBatchOf(context, claimed.filter(isFrozen));
  return isFrozen(first) ? sendAlone(context, first) : sendAfterRead(context, first);
}

function isFrozen(claimed: ClaimedOp): claimed is FrozenOp {
  return claimed.op.request !== null;
}

/** Reads the plant of an update, then sends the update if it is still needed. */
async function sendAfterRead(context: SyncContext, claimed: ClaimedOp): Promise<SendResults> {
  const { op, plantId } = claimed;
  const sentAt = context.now();
  const response = await readPlant(context, plantId);
  const meta = { response, sentAt, receivedAt: context.now() };
  const read = classify('update', response);
  if (read.type !== 'done') return { ...withoutSending(claimed, read), meta };
  const current = recordIn(read.response, plantId);
  if (!current) return { ...withoutSending(claimed, classify('update', null)), meta };
  const clock = { clockOffset: await readClockOffset(context.db), now: context.now() };
  const update = updateRequestOf(op, plantId, current, clock);
  if (!update) return { ...withoutSending(claimed, read, current), meta };
  const frozen = { ...claimed, op: { ...op, ...update } };
  return (await freeze(context, frozen)) ? sendAlone(context, frozen) : { results: [], meta: null };
}

function withoutSending(
  claimed: ClaimedOp,
  result: OpResult,
  record: SendResult['record'] = 'none',
): SendResults {
  return { results: [{ claimed, result, record }], meta: null };
}

/** Stores the request, so that every retry of the op sends the same bytes. False if the claim is no longer valid. */
function freeze({ db }: SyncContext, claimed: FrozenOp): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const [current] = await filterValidClaims(db, [claimed]);
    if (current) await db.outbox.put(current.op);
    return current !== undefined;
  });
}

async function sendAlone(context: SyncContext, claimed: FrozenOp): Promise<SendResults> {
  const { op } = claimed;
  const key = { idempotencyKey: op.opId };
  const files =
    op.type === 'add_photo' ? await readPhotoFiles(context.db, op.photo?.id ?? '') : null;
  if (files === 'missing' || files === 'unreadable') {
    return withoutSending(claimed, withoutFiles[files]);
  }
  const { received, ...times } = await callServer(context, 1, async () => {
    const response = files
      ? await sendPhoto(context, op, files)
      : await send(op.request, requestOptions(context), key);
    return { response };
  });
  const response = received?.response ?? null;
  const results = [await withRecord(context, claimed, classify(op.type, response), response)];
  return { results, meta: { response, ...times } };
}

/**
 * The result of a photo without files: part of the app's data was deleted in the browser, or is damaged. Such a photo
 * is rejected, because it would stop all other ops and every pull if the push failed each time.
 */
const withoutFiles: Record<'missing' | 'unreadable', OpResult> = {
  missing: {
    type: 'rejected',
    error: { message: 'The photo is no longer on this device', status: null },
  },
  unreadable: {
    type: 'rejected',
    error: { message: 'The photo cannot be read on this device', status: null },
  },
};

async function sendBatchOf(
  context: SyncContext,
  claimed: readonly FrozenOp[],
): Promise<SendResults> {
  const operations = claimed.map(({ op }) => ({ key: op.opId, request: op.request }));
  const { received, ...times } = await callServer(context, claimed.length, () =>
    sendBatch(operations, requestOptions(context)),
  );
  const response = received?.response ?? null;
  const responses = received?.responses ?? null;
  if (response && isFromServer(response) && hasNoBatches(response)) {
    context.batchSize.onUnsupported();
  }
  const results = classifyBatch(claimed, response, responses);
  // If a session ends within a batch, some ops may have been executed, so all keep their requests.
  const mayBeExecuted = response?.status === 401;
  const withRecords = claimed.map((one, i) =>
    withRecord(
      context,
      mayBeExecuted ? { ...one, isResend: true } : one,
      results[i] ?? classify(one.op.type, null),
      responses?.[i] ?? null,
    ),
  );
  return { results: await Promise.all(withRecords), meta: { response, ...times } };
}

/**
 * Makes a call that contains `sent` ops, and reports to `batchSize` whether the server responded. `received`: null
 * without a response.
 */
async function callServer<T extends { response: ApiResponse }>(
  { now, batchSize }: SyncContext,
  sent: number,
  call: () => Promise<T>,
): Promise<{ received: T | null } & Pick<ResponseMeta, 'sentAt' | 'receivedAt'>> {
  const sentAt = now();
  try {
    const received = await call();
    if (isFromServer(received.response)) batchSize.onResponse(sent);
    // A proxy that refuses a batch may only refuse its size.
    else batchSize.onNoResponse(sent, hasNoBatches(received.response));
    return { received, sentAt, receivedAt: now() };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    batchSize.onNoResponse(sent, error.isTimeout);
    return { received: null, sentAt, receivedAt: now() };
  }
}

/** Adds the plant's record, which is read from the server if the response to a confirmed op does not contain it. */
async function withRecord(
  context: SyncContext,
  claimed: ClaimedOp,
  result: OpResult,
  response: ApiResponse | null,
): Promise<SendResult> {
  const { op, plantId } = claimed;
  if (result.type === 'done' || result.type === 'applied-before') {
    return { claimed, result, record: await confirmedRecord(context, op, plantId, result) };
  }
  // A 412 contains the plant's current record.
  const current = result.type === 'stale' && response ? recordIn(response, plantId) : null;
  return { claimed, result, record: current ?? 'unreadable' };
}
