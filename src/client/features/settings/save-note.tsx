import { Check, CircleAlert } from 'lucide-react';
import { failureText, type SaveState } from './save-state.ts';
import styles from './settings.module.css';

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
