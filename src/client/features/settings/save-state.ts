import { useState } from 'react';
import { AccountError } from '#client/session/account.ts';

/** The state of the last change of a setting. */
export type SaveState = { type: 'none' | 'saving' | 'saved' } | { type: 'failed'; failure: Error };

/** Saves a setting and keeps the result. Callers must not start a change while another one is being saved. */
export function useSaving(): {
  state: SaveState;
  /** Resolves to whether it was saved. */
  save: (work: () => Promise<void>) => Promise<boolean>;
  /** Clears the result, e.g. when the person edits the value again. Does nothing while a change is being saved. */
  reset: () => void;
} {
  const [state, setState] = useState<SaveState>({ type: 'none' });
  async function save(work: () => Promise<void>): Promise<boolean> {
    setState({ type: 'saving' });
    try {
      await work();
      setState({ type: 'saved' });
      return true;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      setState({ type: 'failed', failure });
      return false;
    }
  }
  function reset(): void {
    setState((current) => (current.type === 'saving' ? current : { type: 'none' }));
  }
  return { state, save, reset };
}

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
