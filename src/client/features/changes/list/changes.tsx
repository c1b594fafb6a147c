import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Notices } from '../status/notices.tsx';

// Rarely seen. Out of reach it must not break the screen: the header says the same in short.
const ChangesDialog = lazy(() =>
  import('./changes-dialog.tsx').then(
    (code) => ({ default: code.ChangesDialog }),
    () => ({ default: () => null }),
  ),
);

/** The list of changes over whatever dashboard screen, as the address says; else what of it is news. */
export function Changes() {
  const isOpen = useSearch({ from: '/dashboard' }).changes === 1;
  const parts = (
    <Suspense>
      <ChangesDialog isOpen={isOpen} />
    </Suspense>
  );
  return (
    <>
      <Notices>{!isOpen && parts}</Notices>
      {isOpen && parts}
    </>
  );
}
