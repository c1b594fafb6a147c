import { useEffect, useRef } from 'react';
import type { SyncSummary } from '#client/store/sync-status.ts';
import { announce, clearAnnouncement } from '#client/ui/feedback/live-region.tsx';

/**
 * What was read out stands in the page: it must not outlive what it says, nor the account. Who was left with changes
 * that wait hears once that they have been sent.
 */
export function useTimelyWords(summary: SyncSummary | undefined): void {
  const hadToWait = useRef(false);
  // With every summary: a change may have come and gone between two of them, and words of it stand all the same.
  useEffect(() => {
    if (!summary) return;
    const isCut = summary.reach === 'offline' || summary.reach === 'unreachable';
    const isAllSent = summary.rejectedCount === 0;
    if (summary.waitingCount > 0) {
      if (isCut) hadToWait.current = true;
      return;
    }
    const wasSaid = clearAnnouncement(/waiting/);
    // Without a network the queue empties only by what is taken back.
    if ((wasSaid || hadToWait.current) && isAllSent && !isCut) announce('All changes saved');
    hadToWait.current = false;
  }, [summary]);
  useEffect(() => () => void clearAnnouncement(/./), []);
}
