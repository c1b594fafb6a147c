import { useDb } from '#client/session/current.tsx';
import type { Conflict } from '#client/store/outbox/changes.ts';
import { dismissConflict, undoConflict } from '#client/store/outbox/conflicts.ts';
import { conflictTitle, conflictWords } from './change-words.ts';
import styles from './changes-sheet.module.css';
import { decide } from './decide.ts';
import { Decision } from './decision.tsx';

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

  return (
    <li className={styles.item}>
      <p className={styles.deed}>{title}</p>
      <p className={styles.standing}>{conflictWords(conflict)}</p>
      <div className={styles.decisions}>
        <Decision
          name="Undo"
          what={title}
          isQuiet
          onClick={() => decide(undoConflict(db, id, Date.now()), () => onDecided('Brought back'))}
        />
        <Decision
          name="Dismiss"
          what={title}
          isQuiet
          onClick={() => decide(dismissConflict(db, id), () => onDecided('Kept as it is'))}
        />
      </div>
    </li>
  );
}
