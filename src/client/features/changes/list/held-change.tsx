import type { ReactNode } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Change } from '#client/store/outbox/changes.ts';
import { retryOp } from '#client/store/outbox/decisions.ts';
import { restoreAsNew } from '#client/store/outbox/restore.ts';
import { deed, deedMoment, heldReason } from './change-words.ts';
import styles from './changes-sheet.module.css';
import { decide } from './decide.ts';
import { Decision } from './decision.tsx';

interface HeldChangeProps {
  change: Change;
  now: number;
  onEdit: (plantKey: string) => void;
  onDiscard: (change: Change) => void;
  /** What to read out of it. */
  onDecided: (sentence: string) => void;
}

/** A change that goes nowhere before the person has decided. */
export function HeldChange({ change, now, onEdit, onDiscard, onDecided }: HeldChangeProps) {
  const db = useDb();
  const { opId, type, plantKey, nickname, state, message } = change;
  const what = deed(change);

  const discard = <Decision name="Discard" what={what} isQuiet onClick={() => onDiscard(change)} />;
  const decisions: Record<Exclude<Change['state'], 'waiting'>, ReactNode> = {
    refused: (
      <>
        <Decision
          name="Retry"
          what={what}
          onClick={() => decide(retryOp(db, opId), () => onDecided(`${what}: sent once more`))}
        />
        {(type === 'create' || type === 'update') && (
          <Decision name="Edit" what={what} isQuiet onClick={() => onEdit(plantKey)} />
        )}
        {discard}
      </>
    ),
    gone: (
      <>
        <Decision
          name="Restore as new"
          what={what}
          onClick={() =>
            decide(restoreAsNew(db, opId, Date.now()), () =>
              onDecided(`${nickname} is added again`),
            )
          }
        />
        {discard}
      </>
    ),
  };
  return (
    <li className={styles.item}>
      <p className={styles.deed}>{what}</p>
      <p className={styles.standing}>
        {deedMoment(change, now)}, {heldReason(change)}
      </p>
      {message && <p className={styles.message}>{message}</p>}
      <div className={styles.decisions}>{state !== 'waiting' && decisions[state]}</div>
    </li>
  );
}
