import { type ReactNode, useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Change, Conflict } from '#client/store/outbox/changes.ts';
import { dismissConflict, undoConflict } from '#client/store/outbox/conflicts.ts';
import { dismissNotice } from '#client/store/outbox/decisions.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { conflictTitle, conflictWords, outcomeWords } from '../list/change-words.ts';
import { decide } from '../list/decide.ts';
import { useChanges } from '../list/use-changes.ts';

/** The newest of what needs the person, and how many more there are. */
export function NoticeCard({ onShowAll }: { onShowAll: () => void }) {
  const list = useChanges();
  const refused =
    list?.changes.filter(({ state, isNoticed }) => state !== 'waiting' && !isNoticed) ?? [];
  const count = refused.length + (list?.conflicts.length ?? 0);
  const [conflict] = list?.conflicts ?? [];
  const change = refused.at(-1);
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
  const title = outcomeWords(change);
  useAnnounced(change.message ? `${title}: ${change.message}` : title, count);
  return (
    <Notice
      look="bad"
      title={title}
      actions={
        <>
          {showAll}
          <Button size="small" look="quiet" onClick={() => decide(dismissNotice(db, change.opId))}>
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
  const text = conflictWords(conflict);
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
            onClick={() => decide(undoConflict(db, conflict.id, Date.now()))}
          >
            Undo
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => decide(dismissConflict(db, conflict.id))}
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

/** A form takes back what it is answered with; only what stays is read out. */
const settleMs = 600;

function useAnnounced(sentence: string, count: number): void {
  // The live region is outside of this card, and outlives it.
  useEffect(() => {
    const whole = count > 1 ? `${sentence}. ${count - 1} more.` : sentence;
    const timer = setTimeout(() => announce(whole), settleMs);
    return () => clearTimeout(timer);
  }, [sentence, count]);
}
