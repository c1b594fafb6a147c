import { batchLimits } from '#contract/batch.ts';

/**
 * How many ops one request may contain. While the server does not respond it is one op, so that the others stay unsent
 * and later edits can still be merged into them. A timeout halves the size, because a slow line may need longer than
 * the timeout. A server without batches gets single calls for the rest of the session.
 */
export interface BatchSize {
  ops: () => number;
  answered: (sent: number) => void;
  unanswered: (sent: number, isTimeout: boolean) => void;
  unsupported: () => void;
}

export function createBatchSize(): BatchSize {
  let most: number = batchLimits.operations;
  let isSupported = true;
  let isAnswered = false;
  return {
    ops: () => (isAnswered && isSupported ? most : 1),
    answered: (sent) => {
      isAnswered = true;
      if (sent === most) most = Math.min(most * 2, batchLimits.operations);
    },
    unanswered: (sent, isTimeout) => {
      isAnswered = false;
      if (isTimeout && sent > 1) most = Math.ceil(sent / 2);
    },
    unsupported: () => {
      isSupported = false;
    },
  };
}
