/** The channel of LISTEN and NOTIFY. */
export const liveChannel = 'sprig_live';

/** Changes of an account are announced, and passed on to its streams, at most four times a second. */
export const announceEveryMs = 250;

/** A notification between server processes. */
export type Message =
  /** Plants or readings of the account changed. */
  | { type: 'change'; userId: string }
  /** Sessions of the account were deleted. */
  | { type: 'sessions'; userId: string }
  /** From a listener to itself, to check its connection. */
  | { type: 'probe'; id: string };

export function toPayload(message: Message): string {
  return `${message.type} ${message.type === 'probe' ? message.id : message.userId}`;
}

/** Null for a payload of another version. */
export function fromPayload(payload: string): Message | null {
  const [type, id = ''] = payload.split(' ');
  if (type === 'change' || type === 'sessions') return { type, userId: id };
  return type === 'probe' ? { type, id } : null;
}
