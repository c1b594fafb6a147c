import { AccountError } from '#client/session/account.ts';

/**
 * Why saving or loading failed, in words. Settings are not queued while offline. `ifUnknown`: the text if the change
 * may have been made.
 */
export function failureText(failure: Error, ifUnknown?: string): string {
  if (ifUnknown !== undefined && mayHaveSucceeded(failure)) return ifUnknown;
  const isUnreachable = failure instanceof AccountError && failure.isUnreachable;
  return isUnreachable ? 'No connection. This needs the server: try again later.' : failure.message;
}

/** Whether the change may have been made although saving failed. */
export function mayHaveSucceeded(failure: Error): boolean {
  return failure instanceof AccountError && failure.mayHaveSucceeded;
}
