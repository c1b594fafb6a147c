import type { DeviceDb } from '#client/store/schema.ts';
import type { Ledger, Wire } from '../crash-model/ledger.ts';

/**
 * Reads along what a device sends: every change is an op in flight, sent as it was frozen, and repeated byte for byte
 * until an answer has come that allows other bytes.
 */
export class WireWatch {
  /** The bytes last sent under a key of which nobody knows what became of them. */
  private readonly open = new Map<string, string>();
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** null for a request that changes nothing. */
  async read(device: string, db: DeviceDb, url: string, init: RequestInit): Promise<Wire | null> {
    const method = init.method ?? 'GET';
    if (method === 'GET') return null;
    const headers = new Headers(init.headers);
    const key = (headers.get('idempotency-key') ?? '').replaceAll('"', '');
    const op = await db.outbox.where('opId').equals(key).first();
    if (!op) {
      this.ledger.faults.push(`${device}: ${method} ${url} has the key of no op`);
      return null;
    }
    const body = typeof init.body === 'string' ? init.body : null;
    const ifMatch = headers.get('if-match');
    const isRepeat = this.open.has(key);
    const wire: Wire = { device, key, method, path: url, body, ifMatch, op, isRepeat };
    this.check(wire);
    return wire;
  }

  /** An answer that reached the device. One that turns a request away says nothing of those before it. */
  noteAnswer({ key, isRepeat }: Wire, status: number): void {
    const isTurnedAway = [401, 425, 429].includes(status);
    const isFinal = status < 500 && status !== 408 && !(isTurnedAway && isRepeat);
    if (isFinal) this.open.delete(key);
  }

  private check(wire: Wire): void {
    const { op, method, path, body, ifMatch, key } = wire;
    const bytes = JSON.stringify([method, path, body, ifMatch]);
    const { request, state } = op;
    const frozen = [request?.method, request?.path, request?.body, request?.ifMatch];
    if (state !== 'inflight') this.ledger.fault(wire, `was sent while ${state}`);
    if (JSON.stringify(frozen) !== bytes) this.ledger.fault(wire, 'was not frozen before');
    const before = this.open.get(key) ?? bytes;
    if (before !== bytes) this.ledger.fault(wire, 'was repeated with other bytes');
    this.open.set(key, bytes);
  }
}
