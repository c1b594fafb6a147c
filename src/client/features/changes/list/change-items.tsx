import type { ReactNode } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import type { Change, Conflict } from '#client/store/outbox/changes.ts';
import {
  addEntryAgain,
  discardOp,
  dismissConflict,
  restoreAsNew,
  retryOp,
  undoConflict,
} from '#client/store/outbox/decisions.ts';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { formatMoment } from '#domain/dates.ts';
import { plural } from '#domain/text.ts';
import { SmallPhoto } from '../../photos/photo-image.tsx';
import { afterWrite, ChangeAction } from './change-action.tsx';
import {
  changeTime,
  conflictText,
  conflictTitle,
  describeChange,
  rejectionReason,
} from './change-text.ts';
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
  const { opId, type, plantKey, nickname, photo, state, message } = change;
  const zone = useZone();
  const title = describeChange(change);

  function retry(): void {
    afterWrite(retryOp(db, opId), () => onDone(`${title}: sent once more`));
  }
  function restore(): void {
    afterWrite(restoreAsNew(db, opId, Date.now()), () => onDone(`${nickname} is added again`));
  }
  function addAgain(): void {
    afterWrite(addEntryAgain(db, opId), () => onDone('The entry is added again'));
  }
  const discard = (
    <ChangeAction name="Discard" item={title} isQuiet onClick={() => onDiscard(change)} />
  );
  const actions: Record<Exclude<Change['state'], 'waiting'>, ReactNode> = {
    rejected: (
      <>
        <ChangeAction name="Retry" item={title} onClick={retry} />
        {(type === 'create' || type === 'update') && (
          <ChangeAction name="Edit" item={title} isQuiet onClick={() => onEdit(plantKey)} />
        )}
        {discard}
      </>
    ),
    'entry-gone': (
      <>
        <ChangeAction name="Add again" item={title} onClick={addAgain} />
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
      {type === 'add_photo' && photo && (
        <div className={styles.photo}>
          <SmallPhoto
            photo={{
              ...photo,
              plantKey,
              alt: `Photo of ${nickname}, ${formatMoment(photo.takenAt, 'dateTime', zone)}`,
            }}
          />
        </div>
      )}
      <p className={styles.title}>{title}</p>
      <p className={styles.status}>
        {`${changeTime(change, now, zone)}, ${rejectionReason(change)}`}
      </p>
      {message && <p className={styles.message}>{message}</p>}
      <div className={styles.actions}>{state !== 'waiting' && actions[state]}</div>
    </li>
  );
}

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

/** Says what discarding a change would lose, and asks. */
export function DiscardChange({
  change,
  onClose,
  onDiscarded,
}: {
  change: Change;
  /** Called after either answer. */
  onClose: () => void;
  onDiscarded: () => void;
}) {
  const db = useDb();
  const { opId, nickname, dependents } = change;
  function discard(): void {
    onClose();
    afterWrite(discardOp(db, opId), onDiscarded);
  }
  const alone = `“${describeChange(change)}” has not reached the server and will be lost.`;
  const withDependents = `${nickname} has not reached the server. It will be lost, with ${plural(dependents, 'change')} that came after.`;
  return (
    <ConfirmDiscard
      title="Discard this change?"
      description={dependents > 0 ? withDependents : alone}
      closesOnBack
      keep={['Keep it', onClose]}
      discard={['Discard', discard]}
    />
  );
}
