import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Notices } from '../status/notices.tsx';

// Rarely seen. A chunk that fails to load must not break the screen: the header shows the same in short.
const ChangesDialog = lazy(() =>
  import('./changes-dialog.tsx').then(
    (code) => ({ default: code.ChangesDialog }),
    () => ({ default: () => null }),
  ),
);

/** The sheet with all changes when the address asks for it, else the notices; on every dashboard screen. */
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
