import { useCallback, useEffect, useState } from 'react';
import type { AccountError } from '#client/session/account.ts';
import { type Device, loadDevices, type NewDevice } from '#client/session/devices.ts';
import { Button } from '#client/ui/form/button.tsx';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { type GuardedParams, useUnsavedGuard } from '../../dashboard/unsaved-guard.tsx';
import { AddDeviceForm, DeviceSecret } from './add-device.tsx';
import { DeviceFailure, DeviceList } from './device-list.tsx';
import styles from './devices-sheet.module.css';

/** One sentence about what devices are for. */
export const devicesIntro = 'A sensor device posts its readings with a secret of its own.';

/** The account's devices, with forms to add and remove them. */
export function DevicesPanel({
  onFocusLost,
  openedBy,
}: {
  /** Called when the focused element disappears. */
  onFocusLost: () => void;
  /** The search params that open the panel. Must not change. */
  openedBy: GuardedParams;
}) {
  const { devices, failure, load, remember, forget } = useDevices();
  const [added, setAdded] = useState<NewDevice | null>(null);
  const [isUncopied, setUncopied] = useState(false);
  const { question } = useUnsavedGuard(isUncopied, openedBy);

  async function show(next: NewDevice): Promise<void> {
    setAdded(next);
    setUncopied(true);
    remember(next.device);
    await load();
  }

  return (
    <>
      {added && (
        <DeviceSecret
          added={added}
          onCopied={() => setUncopied(false)}
          onDone={() => {
            setAdded(null);
            setUncopied(false);
            onFocusLost();
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
              onFocusLost();
              void load();
            }}
          >
            Try again
          </Button>
        </>
      )}
      {question && (
        <ConfirmDiscard
          title="Leave without copying?"
          description="The secret has not been copied and will not be shown again."
          keep={['Back to the secret', question.stay]}
          discard={['Leave', question.leave]}
        />
      )}
    </>
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
