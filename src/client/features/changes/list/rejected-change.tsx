import type { ReactNode } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Change } from '#client/store/outbox/changes.ts';
import { restoreAsNew, retryOp } from '#client/store/outbox/decisions.ts';
import { afterWrite, ChangeAction } from './change-action.tsx';
import { changeTime, describeChange, rejectionReason } from './change-text.ts';
import styles from './changes-sheet.module.css';

interface RejectedChangeProps {
  change: Change;
  now: number;
  onEdit: (plantKey: string) => void;
  onDiscard: (change: Change) => void;
  /** Called with the sentence to announce. */
  onDone: (sentence: string) => void;
}

/** A change that is not sent again until the person decides what to do with it. */
export function RejectedChange({ change, now, onEdit, onDiscard, onDone }: RejectedChangeProps) {
  const db = useDb();
  const { opId, type, plantKey, nickname, state, message } = change;
  const title = describeChange(change);

  function retry(): void {
    afterWrite(retryOp(db, opId), () => onDone(`${title}: sent once more`));
  }
  function restore(): void {
    afterWrite(restoreAsNew(db, opId, Date.now()), () => onDone(`${nickname} is added again`));
  }
  const discard = (
    <ChangeAction name="Discard" item={title} isQuiet onClick={() => onDiscard(change)} />
  );
  const actions: Record<Exclude<Change['state'], 'waiting'>, ReactNode> = {
    refused: (
      <>
        <ChangeAction name="Retry" item={title} onClick={retry} />
        {(type === 'create' || type === 'update') && (
          <ChangeAction name="Edit" item={title} isQuiet onClick={() => onEdit(plantKey)} />
        )}
        {discard}
      </>
    ),
    gone: (
      <>
        <ChangeAction name="Restore as new" item={title} onClick={restore} />
        {discard}
      </>
    ),
  };
  return (
    <li className={styles.item}>
      <p className={styles.title}>{title}</p>
      <p className={styles.status}>
        {changeTime(change, now)}, {rejectionReason(change)}
      </p>
      {message && <p className={styles.message}>{message}</p>}
      <div className={styles.actions}>{state !== 'waiting' && actions[state]}</div>
    </li>
  );
}
