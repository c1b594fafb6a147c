import { sendBatch } from '#client/api/batch.ts';
import { isFromServer } from '#client/api/http.ts';
import { type ApiResponse, NoResponse, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { ApiRequest } from '#contract/request.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { type ClaimedOp, stillClaimed } from './claim.ts';
import { classify, type OpResult } from './classify.ts';
import { type ConfirmedRecord, confirmedRecord, readPlant, recordIn } from './plant-record.ts';
import { updateRequestOf } from './request.ts';
import { readPhotoFiles, sendPhoto } from './send-photo.ts';

/** The result of one attempt to send an op. Nothing of it is written yet. */
export interface SendResult {
  /** The claim, with the op as it was sent. */
  claimed: ClaimedOp;
  result: OpResult;
  /** The plant's record on the server, as far as the response contains it; 'none' also if the plant does not exist. */
  record: ConfirmedRecord | 'none' | 'unreadable';
}

/** The results of one request, for all ops that it contained. */
export interface Sent {
  results: SendResult[];
  /** Null if no op was sent because its plant could not be read. */
  meta: ResponseMeta | null;
}

export interface ResponseMeta {
  response: ApiResponse | null;
  /** Device's clock, ms. */
  sentAt: number;
  receivedAt: number;
}

/** A claimed op with its frozen request. */
type Ready = ClaimedOp & { op: { request: ApiRequest } };

/**
 * Sends claimed ops: one by its own call, an update without a known version after reading its plant, several as a
 * batch. A network failure is a result of every op and never rejects. An op that another engine has claimed since has
 * none.
 */
export async function sendOps(context: SyncContext, claimed: readonly ClaimedOp[]): Promise<Sent> {
  const ready = claimed.filter(isReady);
  const [only] = claimed;
  if (only && ready.length === 0) return sendAfterRead(context, only);
  const [first, ...others] = ready;
  if (first && others.length === 0) return sendAlone(context, first);
  return sendTogether(context, ready);
}

function isReady(claimed: ClaimedOp): claimed is Ready {
  return claimed.op.request !== null;
}

async function sendAfterRead(context: SyncContext, claimed: ClaimedOp): Promise<Sent> {
  const { op, plantId } = claimed;
  const response = await readPlant(context, plantId);
  const read = classify('update', response);
  if (read.type !== 'done') return unsent(claimed, read);
  const current = recordIn(read.response, plantId);
  if (!current) return unsent(claimed, classify('update', null));
  const update = updateRequestOf(op, plantId, current);
  if (!update) return unsent(claimed, read, current);
  const sent = { ...claimed, op: { ...op, ...update } };
  return (await freeze(context, sent)) ? sendAlone(context, sent) : { results: [], meta: null };
}

function unsent(claimed: ClaimedOp, result: OpResult, record: SendResult['record'] = 'none'): Sent {
  return { results: [{ claimed, result, record }], meta: null };
}

/** Stores the request: from now on the op's key belongs to these bytes. False if the claim is no longer valid. */
function freeze({ db }: SyncContext, claimed: Ready): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const [current] = await stillClaimed(db, [claimed]);
    if (current) await db.outbox.put(current.op);
    return current !== undefined;
  });
}

async function sendAlone(context: SyncContext, claimed: Ready): Promise<Sent> {
  const { op } = claimed;
  const key = { idempotencyKey: op.opId };
  const files =
    op.type === 'add_photo' ? await readPhotoFiles(context.db, op.photo?.id ?? '') : null;
  if (op.type === 'add_photo' && !files) return unsent(claimed, filesMissing);
  const { answer, ...times } = await exchange(context, 1, async () => {
    const response = files
      ? await sendPhoto(context, op, files)
      : await send(op.request, requestOptions(context), key);
    return { response };
  });
  const response = answer?.response ?? null;
  const results = [await withRecord(context, claimed, classify(op.type, response), response)];
  return { results, meta: { response, ...times } };
}

/** The photo's files are missing: part of the app's data was deleted in the browser. */
const filesMissing: OpResult = {
  type: 'rejected',
  error: { message: 'The photo is no longer on this device', status: null },
};

async function sendTogether(context: SyncContext, claimed: readonly Ready[]): Promise<Sent> {
  const operations = claimed.map(({ op }) => ({ key: op.opId, request: op.request }));
  const { answer, ...times } = await exchange(context, claimed.length, () =>
    sendBatch(operations, requestOptions(context)),
  );
  const response = answer?.response ?? null;
  const responses = answer?.responses ?? null;
  if (response && isUnsupported(response)) context.batchSize.unsupported();
  const results = responses
    ? classifyEach(claimed, responses)
    : claimed.map(({ op }) => classifyBatch(op, response));
  // If a session ends within a batch, some ops may have been applied, so all keep their requests.
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

/** Runs a call that contains `ops` ops, and records its result, which decides the size of the next one. */
async function exchange<T extends { response: ApiResponse }>(
  { now, batchSize }: SyncContext,
  ops: number,
  call: () => Promise<T>,
): Promise<{ answer: T | null } & Pick<ResponseMeta, 'sentAt' | 'receivedAt'>> {
  const sentAt = now();
  try {
    const answer = await call();
    if (isFromServer(answer.response)) batchSize.answered(ops);
    else batchSize.unanswered(ops, false);
    return { answer, sentAt, receivedAt: now() };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    batchSize.unanswered(ops, error.isTimeout);
    return { answer: null, sentAt, receivedAt: now() };
  }
}

/** Whether the server or a proxy does not accept batches. None of its ops was executed. */
function isUnsupported({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}

/** The result of an op if the batch has no responses for its operations. */
function classifyBatch({ type }: Op, response: ApiResponse | null): OpResult {
  if (response === null || response.ok) return classify(type, null);
  return isUnsupported(response) ? { type: 'released' } : classify(type, response);
}

function classifyEach(claimed: readonly Ready[], responses: readonly ApiResponse[]): OpResult[] {
  const failed = new Set<string>();
  return claimed.map(({ op, plantId }, i) => {
    const response = responses[i] ?? null;
    // Not executed, because an earlier op of its plant failed. A 424 without such a failure is not accepted.
    if (response?.status === 424 && failed.has(plantId)) return { type: 'released' };
    if (!response?.ok) failed.add(plantId);
    return classify(op.type, response);
  });
}

async function withRecord(
  context: SyncContext,
  claimed: ClaimedOp,
  result: OpResult,
  response: ApiResponse | null,
): Promise<SendResult> {
  const { op, plantId } = claimed;
  if (result.type === 'done' || result.type === 'landed') {
    return { claimed, result, record: await confirmedRecord(context, op, plantId, result) };
  }
  // A 412 contains the plant's current record.
  const current = result.type === 'outdated' && response ? recordIn(response, plantId) : null;
  return { claimed, result, record: current ?? 'unreadable' };
}
