import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOverlay } from '../../dashboard/use-overlay.ts';

// Opened once per device, if ever.
const DevicesSheet = lazy(async () => ({
  default: (await import('./devices-sheet.tsx')).DevicesSheet,
}));

/** The account's devices over whatever dashboard screen, as the address says. */
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
