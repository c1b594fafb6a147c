import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Notices } from '#features/sync-status/notices.tsx';

// Rarely seen. Out of reach it must not break the screen: the header says the same in short.
const ChangesDialog = lazy(() =>
  import('./-changes-dialog.tsx').then(
    (code) => ({ default: code.ChangesDialog }),
    () => ({ default: () => null }),
  ),
);

/** The list of changes over whatever dashboard screen, as the address says; else what of it is news. */
export function Changes({ onOpen }: { onOpen: () => void }) {
  const isOpen = useSearch({ from: '/dashboard' }).changes === 1;
  const parts = (
    <Suspense>
      <ChangesDialog isOpen={isOpen} onOpen={onOpen} />
    </Suspense>
  );
  return (
    <>
      <Notices>{!isOpen && parts}</Notices>
      {isOpen && parts}
    </>
  );
}

/** Opens it over the present screen, so that back closes it. */
export function useOpenChanges(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '.', search: { changes: 1 }, resetScroll: false });
}
