import type { ApiRequest } from '#contract/request.ts';
import type { EntryField, NewEntry } from '#domain/journal/entry.ts';
import type { PlantFields } from '#domain/plant/fields.ts';

/**
 * An op is one change that a person made. It stays in the outbox until the server has confirmed it.
 *
 *   enqueue ──► queued ──claim──► inflight ──confirmed──► done (deleted)
 *                 ▲                  │  ▲
 *                 │                  │  └──────────claim────────┐
 *                 │                  ├── no response, 5xx ──► uncertain
 *                 ├── later, stale ──┤
 *                 │                  └── other 4xx ─► rejected ──discard──► (deleted)
 *                 └───────────── retry, edit ─────────────┘
 *
 * The request is frozen by the first claim that has all data for it. An uncertain op repeats it byte for byte with the
 * same key, so that the server applies it once. If its claim gets a 401, 425 or 429, it stays uncertain. Without a frozen
 * request an op never becomes uncertain: it is queued again. sync/push/classify.ts decides which response leads to which
 * state.
 */
export type OpState = 'queued' | 'inflight' | 'uncertain' | 'rejected';

export type OpType =
  | 'create'
  | 'update'
  | 'water'
  | 'delete'
  | 'add_entry'
  | 'edit_entry'
  | 'remove_entry'
  | 'add_photo'
  | 'remove_photo';

/** What sync has to know about a type of op. */
interface OpTraits {
  /** Whether the server may reject its request because of a time by the device's clock. */
  hasLimitedTime: boolean;
  /** Whether it removes something. It is done if the server no longer has it. */
  isRemoval: boolean;
  /** Whether it is sent only after earlier ops of its plant have their responses. */
  needsResponses: boolean;
  /** Whether it adds or removes a photo. Such an op is sent alone, when no op of another kind is due. */
  isPhoto: boolean;
}

const none: OpTraits = {
  hasLimitedTime: false,
  isRemoval: false,
  needsResponses: false,
  isPhoto: false,
};

export const opTraits: Readonly<Record<OpType, OpTraits>> = {
  create: { ...none, hasLimitedTime: true, needsResponses: true },
  update: { ...none, needsResponses: true },
  water: { ...none, hasLimitedTime: true },
  delete: { ...none, isRemoval: true, needsResponses: true },
  add_entry: { ...none, hasLimitedTime: true },
  edit_entry: { ...none, hasLimitedTime: true },
  remove_entry: { ...none, isRemoval: true },
  add_photo: { ...none, hasLimitedTime: true, isPhoto: true },
  remove_photo: { ...none, isRemoval: true, isPhoto: true },
};

export interface OpError {
  /** The server's message, or a fallback text. */
  message: string;
  /** HTTP status. Null without a response of the server itself. A gateway's 413 for a photo is kept. */
  status: number | null;
}

/** A field, or a group of fields (`fieldGroups`), in which this device's value overwrites a change from elsewhere. */
export interface Overwritten {
  mine: Partial<PlantFields>;
  theirs: Partial<PlantFields>;
}

/** An entry of a plant's journal in an op that adds, edits or removes it. */
export interface OpEntry extends Omit<NewEntry, 'at'> {
  /** ms; of the device's clock unless `isServerTime`. */
  at: number;
  /** Whether `at` is the server's time, which is sent unchanged. */
  isServerTime?: true;
  /**
   * edit_entry: the fields that the edit changes; only these are sent and applied to what the server has. An edit of an
   * earlier version has no list and changes all fields. remove_entry: the fields of the pending edits that it replaces.
   */
  changed?: readonly EntryField[];
}

/**
 * The entries from which the plant's dates are computed while the op is pending, as known when the op was made. Stored
 * in the op because screens need the dates of all plants without reading their journals.
 */
export interface KnownEntries {
  /** edit_entry, remove_entry: the time of the entry before the change, ms. */
  before?: number;
  /** The newest other watering, ms. */
  watered: number | null;
  /** The newest other fertilizing, ms. */
  fertilized: number | null;
  /** The newest other snooze; `at` in ms. */
  snooze: { at: number; days: number } | null;
}

/** A photo in an op that adds or removes it. The bytes of an added photo are in the table photoFiles. */
export interface OpPhoto {
  /** UUID */
  id: string;
  /** The journal entry that it belongs to; null for a photo without an entry. */
  entryId: string | null;
  /** Device's clock, ms. */
  takenAt: number;
  /** Of the full size, pixels. */
  width: number;
  height: number;
}

export interface Op {
  /** Ops are numbered in the order in which they were made. Those of a plant are sent in this order, except photos. */
  seq: number;
  /** UUID, sent as the idempotency key. */
  opId: string;
  /** Version of this row's shape, increased by upgrades.ts. */
  v: 3;
  /** A plant's server id, or the local id of a plant made on this device. */
  entity: string;
  type: OpType;
  /** create: every field; update: the changed ones. */
  edits: Partial<PlantFields>;
  /** The plant's fields before the change, as far as known. Empty for create and delete. */
  base: Partial<PlantFields>;
  /** add_entry, edit_entry: the entry as it will be; remove_entry: as it was. */
  entry?: OpEntry;
  known?: KnownEntries;
  /** add_photo, remove_photo. */
  photo?: OpPhoto;
  /** Null until the request is frozen. */
  request: ApiRequest | null;
  /** The values that the frozen request overwrites. They become conflicts once the op is confirmed. */
  overwritten?: Overwritten[];
  state: OpState;
  /**
   * Number of claims, not counting those that were released or got a 401, 425 or 429. A result is ignored if this
   * number has changed since the claim to which it belongs.
   */
  attempts: number;
  /** How many sends failed because the request was out of date, usually because the plant had changed on the server. */
  staleSends?: number;
  /** Time of the last claim (device's clock, ms). */
  sentAt: number | null;
  /** Not sent before this time (device's clock, ms). */
  nextAt: number;
  /** Until this time the person may undo it, so it is not sent (device's clock, ms). Absent: it is sent at once. */
  undoUntil?: number;
  /** When the person made the change (device's clock, ms). */
  occurredAt: number;
  lastError: OpError | null;
  /** rejected: the person has dismissed its notice; it stays in the list of changes. */
  isNoticed: boolean;
}

export type NewOp = Omit<Op, 'seq'>;

/** How long a person may undo an op that has `undoUntil` (ms). */
export const undoMs = 10_000;

/**
 * Whether the person may still undo it at `now` (ms). False if more than `undoMs` remain: the clock was set back, and
 * the op would wait too long.
 */
export function canUndo(
  { undoUntil = 0, ...op }: Pick<Op, 'state' | 'request' | 'undoUntil'>,
  now: number,
): boolean {
  return isUnsent(op) && undoUntil > now && undoUntil <= now + undoMs;
}

/**
 * The id of the journal entry that the op adds, edits or removes; null if there is none. The entry of a watering has
 * the op's id.
 */
export function entryIdOf({
  type,
  opId,
  entry,
}: Pick<Op, 'type' | 'opId' | 'entry'>): string | null {
  return type === 'water' ? opId : (entry?.id ?? null);
}

/** Whether it adds or removes a photo. */
export function isPhotoOp({ type }: Pick<Op, 'type'>): boolean {
  return opTraits[type].isPhoto;
}

/**
 * Whether it is queued and has no frozen request. The server cannot have applied such an op, and new ops may be
 * coalesced into it.
 */
export function isUnsent(op: Pick<Op, 'state' | 'request'>): boolean {
  return op.state === 'queued' && op.request === null;
}

/**
 * Whether it saves a plant unchanged, which unlocks its automatic watering. Edits of `auto_watering_enabled` by a form
 * also contain `device_id`.
 */
export function isUnlock({ type, edits, base }: Pick<Op, 'type' | 'edits' | 'base'>): boolean {
  const [field, ...others] = Object.keys(edits);
  const isAlone = field === 'auto_watering_enabled' && others.length === 0;
  return type === 'update' && isAlone && edits[field] === base[field];
}

/** Whether the server rejected it, so that the person has to decide. */
export function isRejected({ state }: Pick<Op, 'state'>): boolean {
  return state === 'rejected';
}

/** Whether it was rejected because the server no longer has the plant or the entry. */
export function isNotFound({ state, lastError }: Pick<Op, 'state' | 'lastError'>): boolean {
  return state === 'rejected' && (lastError?.status === 404 || lastError?.status === 410);
}

/** A queued op that was never sent. */
export function newOp(
  change: Pick<Op, 'opId' | 'entity' | 'type' | 'occurredAt'> &
    Partial<Pick<Op, 'edits' | 'base' | 'undoUntil' | 'entry' | 'known' | 'photo'>>,
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
    ...change,
  };
}

/** A random UUID. Built from getRandomValues, because randomUUID is missing on pages served over plain http. */
export function newOpId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
