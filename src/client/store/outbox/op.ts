import type { ApiRequest } from '#contract/request.ts';
import type { PlantFields } from '#domain/plant/fields.ts';

export type OpType = 'create' | 'update' | 'water' | 'delete';

/**
 * queued: never sent, or backing off after a clear "not now" · inflight: being sent · uncertain: sent, answer unknown,
 * resent byte for byte · rejected: the server refused it; the person decides.
 */
export type OpState = 'queued' | 'inflight' | 'uncertain' | 'rejected';

export interface OpError {
  /** The server's words, or those of the catalogue. */
  message: string;
  /** HTTP status, or null when nobody answered, or something between us and the server did. */
  status: number | null;
}

/** A field, or a pair that counts as one, in which this device's value replaces what somebody else wrote meanwhile. */
export interface Overwritten {
  mine: Partial<PlantFields>;
  theirs: Partial<PlantFields>;
}

/** One intent of the person, waiting to become one effect on the server. */
export interface Op {
  /** Order of intent; the queue is sent in it. */
  seq: number;
  /** Idempotency key: one op, one effect. */
  opId: string;
  /** Shape of this row, raised by migrations. */
  v: 3;
  /** A plant's server id, or the local id of a plant made on this device. */
  entity: string;
  type: OpType;
  /** create: every field; update: the changed ones. */
  edits: Partial<PlantFields>;
  /** update: the edited fields as they were when the edit began; with water too: the plant's other fields. */
  base: Partial<PlantFields>;
  /** Frozen at the first send; a resend repeats it byte for byte. */
  request: ApiRequest | null;
  /** Frozen with the request: what it overwrites of others, told once it has. */
  overwritten?: Overwritten[];
  state: OpState;
  /** How often sending began. An outcome counts only for the attempt it answers. */
  attempts: number;
  /** How many sends met a plant that had changed meanwhile. */
  staleSends?: number;
  /** Device's clock, ms. */
  sentAt: number | null;
  /** Not before this moment (device's clock, ms). */
  nextAt: number;
  /** When the person did it (device's clock, ms). */
  occurredAt: number;
  lastError: OpError | null;
  /** Parked: the person has put its notice away; it stays in the list of changes. */
  isNoticed: boolean;
}

export type NewOp = Omit<Op, 'seq'>;

/** An op nobody has seen yet: it may still be merged with a later one. */
export function isUnsent(op: Pick<Op, 'state' | 'request'>): boolean {
  return op.state === 'queued' && op.request === null;
}

/** Refused: it is not sent before the person has decided. */
export function isRejected({ state }: Pick<Op, 'state'>): boolean {
  return state === 'rejected';
}

export function newOp(
  intent: Pick<Op, 'opId' | 'entity' | 'type' | 'occurredAt'> & Partial<Pick<Op, 'edits' | 'base'>>,
): NewOp {
  return {
    v: 3,
    edits: {},
    base: {},
    request: null,
    state: 'queued',
    attempts: 0,
    sentAt: null,
    nextAt: 0,
    lastError: null,
    isNoticed: false,
    ...intent,
  };
}

/** A random UUID. Made of getRandomValues, because randomUUID is missing on pages served over plain http. */
export function newOpId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
