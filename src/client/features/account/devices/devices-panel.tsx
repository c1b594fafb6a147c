import { useEffect, useState } from 'react';
import {
  addDevice,
  type Device,
  loadDevices,
  type NewDevice,
} from '#client/session/settings/devices.ts';
import { TryAgain } from '#client/ui/feedback/banner.tsx';
import { moveFocusOnRemoval } from '#client/ui/focus.ts';
import { useLoaded } from '#client/ui/use-loaded.ts';
import {
  ConfirmLeaveUncopied,
  type GuardedParams,
  useUnsavedGuard,
} from '../../dashboard/unsaved-guard.tsx';
import { AddDeviceForm, DeviceSecret } from './add-device.tsx';
import { DeviceFailure, DeviceList } from './device-list.tsx';
import styles from './devices-sheet.module.css';

/** One sentence about what devices are for. */
export const devicesIntro = 'A sensor device posts its readings with a secret of its own.';

/** The account's devices, with forms to add and remove them. */
export function DevicesPanel({
  onFocusLost,
  openedBy,
  isBehindSheet = false,
}: {
  /** Called when the focused element disappears. */
  onFocusLost: () => void;
  /** The search params that open the panel. Must be the same array in every rendering. */
  openedBy: GuardedParams;
  /** Whether the sheet with the same list is open above the panel. */
  isBehindSheet?: boolean;
}) {
  const { value: devices, failure, reload, replace } = useLoaded(loadDevices);
  // The list may have been changed in the sheet, so it is loaded again when the sheet closes.
  useEffect(() => (isBehindSheet ? () => void reload() : undefined), [isBehindSheet, reload]);
  const [lastAdded, setAdded] = useState<NewDevice | null>(null);
  const [copied, setCopied] = useState<NewDevice | null>(null);
  const [isAdding, setAdding] = useState(false);
  // The device may have been removed again, also elsewhere.
  const isListed = devices?.some(({ key }) => key === lastAdded?.device.key) ?? false;
  const added = isListed ? lastAdded : null;
  // Leaving while the request runs must be confirmed too, because the response shows the secret only here.
  const isUncopied = isAdding || (added !== null && added !== copied);
  const { question } = useUnsavedGuard(isUncopied, openedBy, 'uncopied');

  async function add(deviceId: string): Promise<void> {
    setAdding(true);
    try {
      const next = await addDevice(deviceId);
      setAdded(next);
      replace((known) => [next.device, ...known]);
      void reload();
    } finally {
      setAdding(false);
    }
  }
  function hideSecret(): void {
    setAdded(null);
    setCopied(null);
  }
  function onRemoved({ key }: Device): void {
    replace((known) => known.filter((device) => device.key !== key));
  }

  return (
    <>
      {added && (
        <DeviceSecret
          added={added}
          onCopied={() => setCopied(added)}
          onDone={() => {
            hideSecret();
            onFocusLost();
          }}
        />
      )}
      {devices && !added && <AddDeviceForm openedBy={openedBy} onAdd={add} />}
      {devices && <DeviceList devices={devices} onRemoved={onRemoved} />}
      {!devices && !failure && (
        <p className={styles.quiet} role="status">
          Loading devices...
        </p>
      )}
      {!devices && failure && (
        <DeviceFailure failure={failure}>
          <TryAgain ref={moveFocusOnRemoval} onClick={() => void reload()} />
        </DeviceFailure>
      )}
      <ConfirmLeaveUncopied question={question} what="secret" />
    </>
  );
}
