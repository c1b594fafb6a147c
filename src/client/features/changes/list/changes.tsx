import { lazyRouteComponent, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { Notices } from '../status/notices.tsx';

// Rarely seen. A chunk that fails to load must not break the screen: the header shows the same in short.
const ChangesSheet = lazyRouteComponent(
  () => import('./changes-sheet.tsx').catch(() => ({ ChangesSheet: Nothing })),
  'ChangesSheet',
);
const NoticeCard = lazyRouteComponent(
  () => import('../status/notice-card.tsx').catch(() => ({ NoticeCard: Nothing })),
  'NoticeCard',
);

function Nothing(): ReactNode {
  return null;
}

/** The sheet with all changes when the address asks for it, else the notice about the newest; on every dashboard screen. */
export function Changes() {
  const isOpen = useSearch({ from: '/dashboard' }).changes === 1;
  const { open, replace, close } = useOverlay();
  return (
    <>
      <Notices>
        {!isOpen && (
          <Suspense>
            <NoticeCard onShowAll={() => open({ changes: 1 })} />
          </Suspense>
        )}
      </Notices>
      {isOpen && (
        <Suspense>
          <ChangesSheet onEdit={(plantKey) => replace({ form: plantKey })} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
