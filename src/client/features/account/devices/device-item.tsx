import { useState } from 'react';
import { type Device, removeDevice } from '#client/session/devices.ts';
import { focusOnMount } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { formatMoment } from '#domain/time.ts';
import { DeviceFailure } from './device-failure.tsx';
import styles from './device-item.module.css';

export function DeviceItem({ device, onRemoved }: { device: Device; onRemoved: () => void }) {
  const { deviceId, madeAt, lastUsedAt } = device;
  const [question, setQuestion] = useState<'unasked' | 'asked' | 'declined'>('unasked');
  return (
    <li className={styles.item}>
      <div className={styles.facts}>
        <p className={styles.name}>{deviceId}</p>
        <p>Added {formatMoment(madeAt, 'date')}</p>
        <p>
          {lastUsedAt === null ? 'Never used' : `Last used ${formatMoment(lastUsedAt, 'dateTime')}`}
        </p>
      </div>
      {question === 'asked' ? (
        <RemoveQuestion
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
function RemoveQuestion({
  device,
  onRemoved,
  onDecline,
}: {
  device: Device;
  onRemoved: () => void;
  onDecline: () => void;
}) {
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);

  async function remove(): Promise<void> {
    setRemoving(true);
    setFailure(null);
    await removeDevice(device).then(onRemoved, setFailure);
    setRemoving(false);
  }

  const words = `Remove ${device.deviceId}? Its secret stops working at once.`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are two answers to a question
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
