import { lazyRouteComponent, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useOverlay } from '../../dashboard/use-overlay.ts';

// Rarely opened.
const DevicesSheet = lazyRouteComponent(() => import('./devices-sheet.tsx'), 'DevicesSheet');

/** The devices sheet, on every dashboard screen when the address asks for it. */
export function Devices() {
  const { devices } = useSearch({ from: '/dashboard' });
  const { close } = useOverlay();
  if (!devices) return null;
  return (
    <Suspense>
      <DevicesSheet onClose={close} />
    </Suspense>
  );
}
