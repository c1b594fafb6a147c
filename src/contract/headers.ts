/** Header names that client and server share. */
export const headers = {
  /** On every mutating /api call: the op's id. The server executes a key once and repeats its answer. */
  idempotencyKey: 'idempotency-key',
  /** On an answer that repeats the one to an earlier request with the same key. */
  idempotentReplayed: 'idempotent-replayed',
  etag: 'etag',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
} as const;
