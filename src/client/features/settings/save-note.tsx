import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { failureText } from './failure-text.ts';
import styles from './settings.module.css';

/** The state of the last change of a setting. */
type SaveState = { type: 'none' | 'saving' | 'saved' } | { type: 'failed'; failure: Error };

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

/** Note beside a setting: 'Saved', or why it was not saved. Screen readers announce both. */
export function SaveNote({ state, savedText = 'Saved' }: { state: SaveState; savedText?: string }) {
  return (
    <div className={styles.note} role="status" data-state={state.type}>
      {state.type === 'saved' && (
        <p>
          <Check aria-hidden size={16} /> {savedText}
        </p>
      )}
      {state.type === 'failed' && (
        <p>
          <CircleAlert aria-hidden size={16} /> {failureText(state.failure)}
        </p>
      )}
    </div>
  );
}
