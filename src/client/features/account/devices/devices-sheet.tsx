import { useCallback, useEffect, useRef, useState } from 'react';
import type { AccountError } from '#client/session/account.ts';
import { type Device, loadDevices, type NewDevice } from '#client/session/devices.ts';
import { Button } from '#client/ui/form/button.tsx';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { AddDeviceForm, DeviceSecret } from './add-device.tsx';
import { DeviceFailure, DeviceList } from './device-list.tsx';
import styles from './devices-sheet.module.css';

/** The devices that may post readings for this account: lists, adds and removes them. */
export function DevicesSheet({ onClose }: { onClose: () => void }) {
  const body = useRef<HTMLDivElement>(null);
  const { devices, failure, load, remember, forget } = useDevices();
  const [added, setAdded] = useState<NewDevice | null>(null);
  const [isCopied, setCopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);

  /** Called when the focused element disappears. */
  const focusBody = () => body.current?.focus();

  async function show(next: NewDevice): Promise<void> {
    setAdded(next);
    setCopied(false);
    remember(next.device);
    await load();
  }

  return (
    <Sheet
      title="Devices"
      subtitle="A sensor device posts its readings with a secret of its own."
      fitsContent
      onOpenFocus={focusBody}
      onClose={() => (added && !isCopied ? setLeaving(true) : onClose())}
    >
      <SheetBody ref={body}>
        {added && (
          <DeviceSecret
            added={added}
            onCopied={() => setCopied(true)}
            onDone={() => {
              setAdded(null);
              focusBody();
            }}
          />
        )}
        {devices && !added && <AddDeviceForm onAdded={(next) => void show(next)} />}
        {devices && <DeviceList devices={devices} onRemoved={forget} />}
        {!devices && !failure && (
          <p className={styles.quiet} role="status">
            Loading devices...
          </p>
        )}
        {!devices && failure && (
          <>
            <DeviceFailure failure={failure} />
            <Button
              className={styles.action}
              onClick={() => {
                focusBody();
                void load();
              }}
            >
              Try again
            </Button>
          </>
        )}
      </SheetBody>
      {isLeaving && (
        <ConfirmDiscard
          title="Close without copying?"
          description="The secret has not been copied and will not be shown again."
          keep={['Back to the secret', () => setLeaving(false)]}
          discard={['Close', onClose]}
        />
      )}
    </Sheet>
  );
}

/** The account's devices from the server. They are not stored on this device, so offline there are none. */
function useDevices() {
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
