import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { Operation } from '../operations.ts';
import type { EffectLog } from './effect-log.ts';

/** An operation as it left a device, with its op at that moment. */
export interface SentOp extends Operation {
  device: string;
  op: Op;
  /** It was sent before, and the result is unknown. */
  isResend: boolean;
}

/**
 * Checks what a device sends: every op is in flight, its request was stored before it was sent, and is sent again byte
 * for byte until a response allows a new request.
 */
export class RequestChecks {
  /** The bytes last sent under each key whose result is unknown. */
  private readonly unresolved = new Map<string, string>();
  private readonly effects: EffectLog;

  constructor(effects: EffectLog) {
    this.effects = effects;
  }

  /** Called before a request leaves. Returns its operations with their ops. */
  async sending(device: string, db: DeviceDb, operations: Operation[]): Promise<SentOp[]> {
    const sent: SentOp[] = [];
    for (const operation of operations) {
      const { key, method, path } = operation;
      const op = await db.outbox.where('opId').equals(key).first();
      if (op) {
        const sentOp = { ...operation, device, op, isResend: this.unresolved.has(key) };
        this.check(sentOp);
        sent.push(sentOp);
      } else this.effects.violations.push(`${device}: ${method} ${path} has the key of no op`);
    }
    return sent;
  }

  /**
   * Called when a result has reached the device. After a 401, 424, 425 or 429 the result of earlier sends is still
   * unknown.
   */
  received({ key, isResend }: SentOp, status: number): void {
    const isNotExecuted = [401, 424, 425, 429].includes(status);
    if (status < 500 && status !== 408 && !(isNotExecuted && isResend)) this.unresolved.delete(key);
  }

  /** An op with an unknown result keeps the request that was sent, so that its effect cannot happen twice. */
  async checkUnresolved(device: string, db: DeviceDb): Promise<void> {
    if (this.unresolved.size === 0) return;
    const ops = await db.outbox
      .where('opId')
      .anyOf([...this.unresolved.keys()])
      .toArray();
    for (const op of ops) {
      if (bytesOf(op.request) === this.unresolved.get(op.opId)) continue;
      const path = op.request?.path ?? 'no request';
      this.effects.report({ device, op, path }, 'lost its request while its result was unknown');
    }
  }

  private check(sent: SentOp): void {
    const { op, key } = sent;
    const bytes = bytesOf(sent);
    if (op.state !== 'inflight') this.effects.report(sent, `was sent while ${op.state}`);
    if (bytesOf(op.request) !== bytes) this.effects.report(sent, 'was sent before it was stored');
    const before = this.unresolved.get(key) ?? bytes;
    if (before !== bytes) this.effects.report(sent, 'was sent again with other bytes');
    this.unresolved.set(key, bytes);
  }
}

function bytesOf(request: Omit<Operation, 'key'> | Op['request']): string {
  return JSON.stringify([request?.method, request?.path, request?.body, request?.ifMatch]);
}
