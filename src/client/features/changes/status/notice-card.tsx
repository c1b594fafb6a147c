import { useObservable } from 'dexie-react-hooks';
import { type ReactNode, useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import { type Change, type Conflict, watchChanges } from '#client/store/outbox/changes.ts';
import { dismissConflict, dismissNotice, undoConflict } from '#client/store/outbox/decisions.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { useHasPaused } from '#client/ui/overlay/use-has-paused.ts';
import { afterWrite } from '../list/change-action.tsx';
import { conflictText, conflictTitle, rejectionTitle } from '../list/change-text.ts';

/**
 * The newest rejected change that the person has not dismissed, otherwise the newest conflict, and the total number of
 * both. Appears in the first pause between taps, after an open form has withdrawn its own rejected change.
 */
export function NoticeCard({ onShowAll }: { onShowAll: () => void }) {
  const hasPaused = useHasPaused();
  const db = useDb();
  const list = useObservable(() => watchChanges(db), [db]);
  if (!hasPaused) return null;
  const rejected =
    list?.changes.filter(({ state, isNoticed }) => state !== 'waiting' && !isNoticed) ?? [];
  const count = rejected.length + (list?.conflicts.length ?? 0);
  const [conflict] = list?.conflicts ?? [];
  const change = rejected.at(-1);
  const showAll = (
    <Button size="small" look="quiet" onClick={onShowAll}>
      {count > 1 ? `Show all ${count}` : 'Show'}
    </Button>
  );
  if (change) return <ChangeNotice change={change} count={count} showAll={showAll} />;
  return conflict ? (
    <ConflictNotice conflict={conflict} count={count} showAll={count > 1 && showAll} />
  ) : null;
}

interface NoticeProps {
  count: number;
  showAll: ReactNode;
}

function ChangeNotice({ change, count, showAll }: NoticeProps & { change: Change }) {
  const db = useDb();
  const title = rejectionTitle(change);
  useAnnounced(change.message ? `${title}: ${change.message}` : title, count);
  return (
    <Notice
      look="bad"
      title={title}
      actions={
        <>
          {showAll}
          <Button
            size="small"
            look="quiet"
            onClick={() => afterWrite(dismissNotice(db, change.opId))}
          >
            Dismiss
          </Button>
        </>
      }
    >
      {change.message && <p>{change.message}</p>}
    </Notice>
  );
}

function ConflictNotice({ conflict, count, showAll }: NoticeProps & { conflict: Conflict }) {
  const db = useDb();
  const title = conflictTitle(conflict);
  const text = conflictText(conflict);
  useAnnounced(`${title}. ${text}`, count);
  return (
    <Notice
      look="info"
      title={title}
      actions={
        <>
          {showAll}
          <Button
            size="small"
            look="quiet"
            onClick={() => afterWrite(undoConflict(db, conflict.id, Date.now()))}
          >
            Undo
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => afterWrite(dismissConflict(db, conflict.id))}
          >
            Dismiss
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Notice>
  );
}

/** A form may withdraw a rejected change right away; only a notice that stays is announced. */
const announceAfterMs = 600;

function useAnnounced(sentence: string, count: number): void {
  useEffect(() => {
    const text = count > 1 ? `${sentence}. ${count - 1} more.` : sentence;
    const timer = setTimeout(() => announce(text), announceAfterMs);
    return () => clearTimeout(timer);
  }, [sentence, count]);
}
