import { useObservable } from 'dexie-react-hooks';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useDb } from '#client/session/current.tsx';
import { type Change, type Conflict, watchChanges } from '#client/store/outbox/changes.ts';
import { dismissConflict, dismissNotice, undoConflict } from '#client/store/outbox/decisions.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { useHasPaused } from '#client/ui/overlay/use-has-paused.ts';
import { afterWrite } from '../list/change-action.tsx';
import { conflictText, conflictTitle, rejectionTitle } from '../list/change-text.ts';

/** What was announced last, and how many notices there were then. */
type Announced = RefObject<{ sentence: string; count: number } | null>;

/**
 * The notice, unless it is hidden because the sheet of changes is open. It is announced once, not each time it is shown
 * again.
 */
export function NoticeCard({ isHidden, onShowAll }: { isHidden: boolean; onShowAll: () => void }) {
  const announced: Announced = useRef(null);
  return isHidden ? null : <NewestNotice announced={announced} onShowAll={onShowAll} />;
}

/**
 * The newest rejected change that the person has not dismissed, otherwise the newest conflict, and the total number of
 * both. Appears in the first pause between taps, after an open form has withdrawn its own rejected change.
 */
function NewestNotice({ announced, onShowAll }: { announced: Announced; onShowAll: () => void }) {
  const hasPaused = useHasPaused();
  const db = useDb();
  const list = useObservable(() => watchChanges(db), [db]);
  if (!hasPaused) return null;
  const rejected =
    list?.changes.filter(({ state, isDismissed }) => state !== 'waiting' && !isDismissed) ?? [];
  const count = rejected.length + (list?.conflicts.length ?? 0);
  const [conflict] = list?.conflicts ?? [];
  const change = rejected.at(-1);
  const showAll = (
    <Button size="small" look="quiet" onClick={onShowAll}>
      {count > 1 ? `Show all ${count}` : 'Show'}
    </Button>
  );
  const shared = { announced, count };
  if (change) return <ChangeNotice {...shared} change={change} showAll={showAll} />;
  return conflict ? (
    <ConflictNotice {...shared} conflict={conflict} showAll={count > 1 && showAll} />
  ) : null;
}

interface NoticeProps {
  announced: Announced;
  count: number;
  showAll: ReactNode;
}

function ChangeNotice({ announced, change, count, showAll }: NoticeProps & { change: Change }) {
  const db = useDb();
  const title = rejectionTitle(change);
  useAnnounced(change.message ? `${title}: ${change.message}` : title, count, announced);
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

function ConflictNotice({
  announced,
  conflict,
  count,
  showAll,
}: NoticeProps & { conflict: Conflict }) {
  const db = useDb();
  const title = conflictTitle(conflict);
  const text = conflictText(conflict);
  useAnnounced(`${title}. ${text}`, count, announced);
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

function useAnnounced(sentence: string, count: number, announced: Announced): void {
  useEffect(() => {
    const last = announced.current;
    if (last?.sentence === sentence && count <= last.count) return;
    const text = count > 1 ? `${sentence}. ${count - 1} more.` : sentence;
    const timer = setTimeout(() => {
      announced.current = { sentence, count };
      announce(text);
    }, announceAfterMs);
    return () => clearTimeout(timer);
  }, [sentence, count, announced]);
}
