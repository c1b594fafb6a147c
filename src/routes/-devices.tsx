import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// Opened once per device, if ever.
const DevicesDialog = lazy(async () => ({
  default: (await import('./-devices-dialog.tsx')).DevicesDialog,
}));

/** The account's devices over whatever dashboard screen, as the address says. */
export function Devices() {
  const { devices } = useSearch({ from: '/dashboard' });
  if (!devices) return null;
  return (
    <Suspense>
      <DevicesDialog />
    </Suspense>
  );
}

/** Opens them over the present screen, so that back closes them. */
export function useOpenDevices(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '.', search: { devices: 1 }, resetScroll: false });
}
