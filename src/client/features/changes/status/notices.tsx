import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useDb } from '#client/session/current.tsx';
import { isSignedInWith } from '#client/session/session.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncSummary } from '#client/store/sync-status.ts';
import { NoticeStack } from '#client/ui/feedback/notice.tsx';
import { announce, clearAnnouncement } from '#client/ui/feedback/screen-reader.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { usePersistentStorage, useStorageProblem } from './device-storage.ts';
import { useSyncSummary } from './sync-indicator.tsx';

// After an update in another tab the server may no longer have this chunk, so the fallback text is built in.
const StorageProblemNotice = lazyComponent(
  () => import('./storage-problem-notice.tsx').catch(() => ({ StorageProblemNotice: UpdatedLine })),
  'StorageProblemNotice',
);

function UpdatedLine() {
  return <p role="alert">Sprig was updated. Please reload this page.</p>;
}

/**
 * The notices on every dashboard screen. `children`: about rejected changes and conflicts; `waitingNotice`: exists only
 * while changes wait; `undoNotice`: offers to undo the last change of a journal.
 */
export function Notices({
  children,
  waitingNotice,
  undoNotice,
}: {
  children: ReactNode;
  waitingNotice: ReactNode;
  undoNotice: ReactNode;
}) {
  const db = useDb();
  const summary = useSyncSummary();
  const problem = useStorageProblem();
  const isWaiting = (summary?.waitingCount ?? 0) > 0;
  usePersistentStorage(isWaiting);
  useOutboxAnnouncements(db, summary);
  return (
    <NoticeStack>
      <Suspense>
        {problem && <StorageProblemNotice problem={problem} log={db.storageProblem} />}
      </Suspense>
      {isWaiting && waitingNotice}
      {undoNotice}
      {summary && summary.noticeCount > 0 && children}
    </NoticeStack>
  );
}

/**
 * Keeps the live region up to date with the outbox. Once no op waits, it clears a "waiting" text. If there was one, or
 * an op had to wait for the network, it announces that all is saved, unless an op was rejected or the server cannot be
 * reached. It clears everything when the dashboard is left, e.g. at sign-out.
 */
function useOutboxAnnouncements(db: DeviceDb, summary: SyncSummary | undefined): void {
  const hadToWait = useRef(false);
  // Depends on the summary, not only on its counts: a change that is added and sent between two summaries changes no
  // count, but leaves its "waiting" text in the live region.
  useEffect(() => {
    // Signing out deletes ops that were not sent.
    if (!summary || !isSignedInWith(db)) return;
    const isOffline = summary.connectivity === 'offline' || summary.connectivity === 'unreachable';
    if (summary.waitingCount > 0) {
      if (isOffline) hadToWait.current = true;
      return;
    }
    const wasAnnounced = clearAnnouncement(/waiting/);
    const isAllSent = summary.rejectedCount === 0;
    // While offline the outbox only becomes empty because changes were undone.
    if ((wasAnnounced || hadToWait.current) && isAllSent && !isOffline) {
      announce('All changes saved');
    }
    hadToWait.current = false;
  }, [db, summary]);
  useEffect(() => () => void clearAnnouncement(/./), []);
}
