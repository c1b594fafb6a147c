/** Header names that client and server must spell alike. */
export const headers = {
  /** On every mutating /api call: the op's id. One key, one effect, one answer. */
  idempotencyKey: 'idempotency-key',
  /** On an answer that was stored by an earlier request with the same key. */
  idempotentReplayed: 'idempotent-replayed',
  etag: 'etag',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
} as const;
