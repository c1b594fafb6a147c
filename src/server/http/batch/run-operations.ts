import type { BatchOperation } from '#contract/batch.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { groupBy } from '#domain/group-by.ts';

/** The response to one operation; `json` is the text of its body. */
export interface OperationResult {
  status: number;
  headers: Record<string, string>;
  json: string;
}

/**
 * Number of plants processed in parallel: fewer than the pool's connections, so that some are left for other requests.
 */
export const operationsAtOnce = 4;

/** Statuses that ask the client to retry later. Further operations would get them too, so none is started. */
const stopping = new Set([425, 429, 503]);

const notExecuted: OperationResult = {
  status: 424,
  headers: {},
  json: JSON.stringify({
    code: 'not_executed',
    message: 'An earlier change of this plant failed',
  } satisfies ErrorBody),
};

/**
 * Processes plants in parallel and the operations of one plant in order. After a failed operation the later ones of its
 * plant get a 424. After a 425, 429 or 503 no further operation is started, and those of other plants get the same
 * response with its Retry-After.
 */
export async function runOperations(
  operations: readonly BatchOperation[],
  execute: (operation: BatchOperation) => Promise<OperationResult>,
): Promise<OperationResult[]> {
  const results = new Map<BatchOperation, OperationResult>();
  let stopped: OperationResult | null = null;

  async function runPlant(ofPlant: readonly BatchOperation[]): Promise<void> {
    let hasFailed = false;
    for (const operation of ofPlant) {
      const skipped: OperationResult | null = hasFailed ? notExecuted : stopped;
      const result: OperationResult = skipped ?? (await execute(operation));
      results.set(operation, result);
      if (skipped) continue;
      hasFailed = !isDone(operation, result);
      if (stopping.has(result.status)) stopped ??= result;
    }
  }

  const waiting = groupByPlant(operations).values();
  const worker = async () => {
    for (const ofPlant of waiting) await runPlant(ofPlant);
  };
  await Promise.all(Array.from({ length: operationsAtOnce }, worker));
  return operations.map((operation) => results.get(operation) ?? notExecuted);
}

/** Every create is a group of its own, because its plant has no id yet. */
function groupByPlant(operations: readonly BatchOperation[]): BatchOperation[][] {
  const plantOf = (operation: BatchOperation) =>
    /^\/api\/plants\/([^/?]+)/.exec(operation.path)?.[1]?.toLowerCase() ?? operation;
  return [...groupBy(operations, plantOf).values()];
}

function isDone({ method }: BatchOperation, { status }: OperationResult): boolean {
  const isGone = method === 'DELETE' && (status === 404 || status === 410);
  return isGone || (status >= 200 && status < 300);
}
