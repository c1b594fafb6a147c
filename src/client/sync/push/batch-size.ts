import { batchLimits } from '#contract/batch.ts';

/**
 * How many ops one request may contain. At the start and after a request without a response, the limit is one op until
 * the server responds: the others stay unsent, so that later edits can still be coalesced into them. A timeout halves
 * the size, because a slow line may need longer than the timeout. A server without batches gets single calls for the
 * rest of the session.
 */
export interface BatchSize {
  limit: () => number;
  /** The server responded to a request of `sent` ops. */
  onResponse: (sent: number) => void;
  onNoResponse: (sent: number, isTimeout: boolean) => void;
  /** The server has no batches. */
  onUnsupported: () => void;
}

export function createBatchSize(): BatchSize {
  let largest: number = batchLimits.operations;
  let isSupported = true;
  let isResponding = false;
  return {
    limit: () => (isResponding && isSupported ? largest : 1),
    onResponse: (sent) => {
      isResponding = true;
      if (sent === largest) largest = Math.min(largest * 2, batchLimits.operations);
    },
    onNoResponse: (sent, isTimeout) => {
      isResponding = false;
      if (isTimeout && sent > 1) largest = Math.ceil(sent / 2);
    },
    onUnsupported: () => {
      isSupported = false;
    },
  };
}
