/** Header names that client and server share. */
export const headers = {
  /** On a request that sends an op: the op's id. If the request is repeated, its stored response is replayed. */
  idempotencyKey: 'idempotency-key',
  /** On a response that was replayed from an earlier request with the same key. */
  idempotentReplayed: 'idempotent-replayed',
  etag: 'etag',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  /** Requests a delta since the ETag in If-None-Match. A response that is a delta has the `im` header. */
  aIm: 'a-im',
  im: 'im',
  /** On a delta: the ETag of the version that the delta applies to, from the request's If-None-Match. */
  deltaBase: 'delta-base',
} as const;
