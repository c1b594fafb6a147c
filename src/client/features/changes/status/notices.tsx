import { lazy, type ReactNode, Suspense } from 'react';
import { NoticeStack } from '#client/ui/feedback/notice-stack.tsx';
import { useLastingStorage } from './use-lasting-storage.ts';
import { useTrouble } from './use-storage-problem.ts';
import { useSyncSummary } from './use-sync-summary.ts';
import { useTimelyWords } from './use-timely-words.ts';

// An update in another tab may have taken this version's parts away, with the words for that.
const TroubleNotice = lazy(() =>
  import('./storage-problem-notice.tsx').then(
    (code) => ({ default: code.TroubleNotice }),
    () => ({ default: () => <p role="alert">Sprig was updated. Please reload this page.</p> }),
  ),
);

/** What happened behind the person's back, on whatever screen. `children` tell of changes, where there is news. */
export function Notices({ children }: { children: ReactNode }) {
  const summary = useSyncSummary();
  const trouble = useTrouble();
  const isWaiting = (summary?.waitingCount ?? 0) > 0;
  useLastingStorage(isWaiting);
  useTimelyWords(summary);
  return (
    <NoticeStack>
      <Suspense>{trouble && <TroubleNotice trouble={trouble} />}</Suspense>
      {summary && summary.noticeCount > 0 && children}
    </NoticeStack>
  );
}
