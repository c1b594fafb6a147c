import { type ReactNode, useId, useRef, useState } from 'react';
import { AccountError } from '#client/session/account.ts';
import { useZone } from '#client/session/current.tsx';
import { type Device, removeDevice } from '#client/session/settings/devices.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { focusOnMount, type MoveFocus, rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { formatMoment } from '#domain/dates.ts';
import styles from './devices-sheet.module.css';

export function DeviceList({
  devices,
  onRemoved,
}: {
  devices: Device[];
  onRemoved: (device: Device) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  return (
    <section className={styles.devices} aria-labelledby={headingId}>
      <h3 id={headingId} ref={heading} tabIndex={-1}>
        Your devices
      </h3>
      {devices.length === 0 && (
        <p className={styles.quiet}>
          No devices yet. One that you add can post readings to the plant with its ID.
        </p>
      )}
      <ul>
        {devices.map((device) => (
          <DeviceItem
            key={device.key}
            device={device}
            onRemoved={(moveFocus) => {
              // The focused button disappears with its device.
              moveFocus(heading.current);
              announce(`${device.deviceId} removed`);
              onRemoved(device);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

function DeviceItem({
  device,
  onRemoved,
}: {
  device: Device;
  onRemoved: (moveFocus: MoveFocus) => void;
}) {
  const { deviceId, createdAt, lastUsedAt } = device;
  const zone = useZone();
  const [question, setQuestion] = useState<'unasked' | 'asked' | 'declined'>('unasked');
  return (
    <li className={styles.item}>
      <div className={styles.facts}>
        <p className={styles.name}>{deviceId}</p>
        <p>{`Added ${formatMoment(createdAt, 'date', zone)}`}</p>
        <p>
          {lastUsedAt === null
            ? 'Never used'
            : `Last used ${formatMoment(lastUsedAt, 'dateTime', zone)}`}
        </p>
      </div>
      {question === 'asked' ? (
        <ConfirmRemove
          device={device}
          onRemoved={onRemoved}
          onDecline={() => setQuestion('declined')}
        />
      ) : (
        <Button
          ref={question === 'declined' ? focusOnMount : undefined}
          look="quiet"
          size="small"
          aria-label={`Remove ${deviceId}`}
          onClick={() => setQuestion('asked')}
        >
          Remove
        </Button>
      )}
    </li>
  );
}

/** Replaces the Remove button in place instead of opening a dialog over the list. */
function ConfirmRemove({
  device,
  onRemoved,
  onDecline,
}: {
  device: Device;
  onRemoved: (moveFocus: MoveFocus) => void;
  onDecline: () => void;
}) {
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);

  async function remove(): Promise<void> {
    setRemoving(true);
    setFailure(null);
    const moveFocus = rememberFocus();
    await removeDevice(device).then(() => onRemoved(moveFocus), setFailure);
    setRemoving(false);
  }

  const words = `Remove ${device.deviceId}? Its secret stops working at once.`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; these are two buttons
    <div role="group" aria-label={words} className={styles.question}>
      <p>{words}</p>
      {failure && <DeviceFailure failure={failure} />}
      <div className={styles.answers}>
        <Button
          ref={focusOnMount}
          look="quiet"
          size="small"
          onClick={onDecline}
          disabled={isRemoving}
        >
          Keep
        </Button>
        <Button
          look="danger"
          size="small"
          busyText={isRemoving ? 'Removing...' : null}
          onClick={() => void remove()}
        >
          Remove device
        </Button>
      </div>
    </div>
  );
}

/** Says why a request about devices failed. Such requests are not queued while offline. */
export function DeviceFailure({ failure, children }: { failure: Error; children?: ReactNode }) {
  const isOffline = failure instanceof AccountError && failure.isUnreachable;
  return (
    <Banner look="error">
      <p>{isOffline ? 'Devices need a network connection.' : failure.message}</p>
      {children}
    </Banner>
  );
}
