import { type ApiResponse, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { type ClaimedOp, isStillClaimed } from './claim.ts';
import { classify, type OpResult } from './classify.ts';
import { type ConfirmedRecord, confirmedRecord, readPlant, recordIn } from './plant-record.ts';
import { updateRequestOf } from './request.ts';

/** What one attempt brought; nothing of it is written yet. */
export interface SendResult {
  /** With the op as it was sent. */
  claimed: ClaimedOp;
  result: OpResult;
  /** Of an op that is done: the record that it left behind. */
  record: ConfirmedRecord | 'none' | 'unreadable';
  /** Null when the op itself was not sent. */
  meta: ResponseMeta | null;
}

export interface ResponseMeta {
  response: ApiResponse | null;
  /** Device's clock, ms. */
  sentAt: number;
  receivedAt: number;
}

/**
 * Sends a claimed op, an update after reading its plant. Null when another engine has claimed it since. A network
 * failure is returned as a result and never rejects.
 */
export async function sendOp(context: SyncContext, claimed: ClaimedOp): Promise<SendResult | null> {
  const { op, plantId } = claimed;
  if (op.request) return exchange(context, claimed, op.request);
  const response = await readPlant(context, plantId);
  const read = classify('update', response);
  if (read.type !== 'done') return unsent(claimed, read);
  const current = recordIn(read.response, plantId);
  if (!current) return unsent(claimed, classify('update', null));
  const update = updateRequestOf(op, plantId, current);
  if (!update) return { ...unsent(claimed, read), record: current };
  const sent: Op = { ...op, ...update };
  return (await freeze(context, sent))
    ? exchange(context, { ...claimed, op: sent }, update.request)
    : null;
}

/** From here on the op's key stands for these bytes. False when the claim no longer counts. */
async function freeze({ db }: SyncContext, op: Op): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    if (!(await isStillClaimed(db, op))) return false;
    await db.outbox.put(op);
    return true;
  });
}

async function exchange(
  context: SyncContext,
  claimed: ClaimedOp,
  request: NonNullable<Op['request']>,
): Promise<SendResult> {
  const { op, plantId } = claimed;
  const sentAt = context.now();
  const response = await send(request, requestOptions(context), { idempotencyKey: op.opId }).catch(
    () => null,
  );
  const meta = { response, sentAt, receivedAt: context.now() };
  const result = classify(op.type, response);
  const isDone = result.type === 'done' || result.type === 'landed';
  const record = isDone ? await confirmedRecord(context, op, plantId, result) : 'none';
  return { claimed, result, record, meta };
}

function unsent(claimed: ClaimedOp, result: OpResult): SendResult {
  return { claimed, result, record: 'none', meta: null };
}
