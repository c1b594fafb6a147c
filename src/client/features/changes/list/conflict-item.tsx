import { useDb } from '#client/session/current.tsx';
import type { Conflict } from '#client/store/outbox/changes.ts';
import { dismissConflict, undoConflict } from '#client/store/outbox/decisions.ts';
import { afterWrite, ChangeAction } from './change-action.tsx';
import { conflictText, conflictTitle } from './change-text.ts';
import styles from './changes-sheet.module.css';

/** A field in which this device's value replaced a value from elsewhere. */
export function ConflictItem({
  conflict,
  onDone,
}: {
  conflict: Conflict;
  /** Called with the sentence to announce. */
  onDone: (sentence: string) => void;
}) {
  const db = useDb();
  const { id } = conflict;
  const title = conflictTitle(conflict);

  function undo(): void {
    afterWrite(undoConflict(db, id, Date.now()), () => onDone('Brought back'));
  }
  function dismiss(): void {
    afterWrite(dismissConflict(db, id), () => onDone('Kept as it is'));
  }
  return (
    <li className={styles.item}>
      <p className={styles.title}>{title}</p>
      <p className={styles.status}>{conflictText(conflict)}</p>
      <div className={styles.actions}>
        <ChangeAction name="Undo" item={title} isQuiet onClick={undo} />
        <ChangeAction name="Dismiss" item={title} isQuiet onClick={dismiss} />
      </div>
    </li>
  );
}
