import { type NewDevice, readingsAddress } from '#client/session/devices.ts';
import { focusOnMount } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { CopyText } from './copy-text.tsx';
import { curlLine } from './curl-line.ts';
import styles from './devices-sheet.module.css';

/** The one time that a secret is seen. */
export function DeviceSecret({
  made: { device, secret },
  onCopied,
  onDone,
}: {
  made: NewDevice;
  onCopied: () => void;
  onDone: () => void;
}) {
  const line = curlLine(readingsAddress(), device.deviceId, secret);
  return (
    <section className={styles.secret} aria-labelledby="device-secret">
      <h3 id="device-secret" ref={focusOnMount} tabIndex={-1}>
        {device.deviceId} is ready
      </h3>
      <p>
        <strong>Copy its secret now: it will not be shown again.</strong>
      </p>
      <CopyText name="Secret" text={secret} onCopied={onCopied} />
      <p>This line posts a soil reading as the device:</p>
      <CopyText name="Command" text={line} onCopied={onCopied} />
      <Button className={styles.action} onClick={onDone}>
        Done
      </Button>
    </section>
  );
}
