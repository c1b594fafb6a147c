import { isConnectionLost } from '../database/lost-connections.ts';

/**
 * Runs a job's work for one account or plant. If it fails, its error code is added to `failures` and the job can go on
 * with the others. A lost connection is thrown, because then the others fail too.
 */
export async function collectFailure(
  failures: Set<string>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    failures.add(codeOf(error));
  }
}

/** The code of an error or of its cause. The message is left out, because it may contain row values. */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause ? String(cause.code) : cause.name;
}
