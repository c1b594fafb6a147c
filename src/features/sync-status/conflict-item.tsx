import type { Conflict } from '#data/changes.ts';
import { dismissConflict, undoConflict } from '#data/conflicts.ts';
import { useDb } from '#session/current.tsx';
import { Button } from '#ui/button.tsx';
import { conflictTitle, conflictWords } from './change-words.ts';
import styles from './changes-sheet.module.css';

/** A field in which this device's value replaced another's. */
export function ConflictItem({
  conflict,
  onDecided,
}: {
  conflict: Conflict;
  /** What to read out of it. */
  onDecided: (sentence: string) => void;
}) {
  const db = useDb();
  const { id } = conflict;
  const title = conflictTitle(conflict);

  function decide(act: () => Promise<unknown>, said: string): void {
    act()
      .then(() => onDecided(said))
      .catch((error: unknown) => console.warn(error));
  }

  return (
    <li className={styles.item}>
      <p className={styles.deed}>{title}</p>
      <p className={styles.standing}>{conflictWords(conflict)}</p>
      <div className={styles.decisions}>
        <Button
          size="small"
          look="quiet"
          aria-label={`Undo: ${title}`}
          onClick={() => decide(() => undoConflict(db, id, Date.now()), 'Brought back')}
        >
          Undo
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={`Dismiss: ${title}`}
          onClick={() => decide(() => dismissConflict(db, id), 'Kept as it is')}
        >
          Dismiss
        </Button>
      </div>
    </li>
  );
}
