import { useCallback, useEffect, useState } from 'react';
import type { AccountError } from '#client/session/account-error.ts';
import { type Device, loadDevices } from '#client/session/devices.ts';

/** The account's devices from the server. They are not stored on this device, so offline there are none. */
export function useDevices() {
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [failure, setFailure] = useState<AccountError | null>(null);

  const load = useCallback(async () => {
    setFailure(null);
    await loadDevices().then(setDevices, setFailure);
  }, []);

  useEffect(() => {
    void load();
    const onOnline = () => void load();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [load]);

  return {
    devices,
    failure,
    load,
    remember: (device: Device) => setDevices((known) => [device, ...(known ?? [])]),
    forget: ({ key }: Device) =>
      setDevices((known) => known?.filter((device) => device.key !== key) ?? null),
  };
}
