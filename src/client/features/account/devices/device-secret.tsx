import { type NewDevice, readingsAddress } from '#client/session/devices.ts';
import { focusOnMount } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { CopyText } from './copy-text.tsx';
import { curlCommand } from './curl-command.ts';
import styles from './devices-sheet.module.css';

/** Shows a new device's secret. It is shown only here: the server stores only its hash. */
export function DeviceSecret({
  added: { device, secret },
  onCopied,
  onDone,
}: {
  added: NewDevice;
  onCopied: () => void;
  onDone: () => void;
}) {
  const command = curlCommand(readingsAddress(), device.deviceId, secret);
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
      <CopyText name="Command" text={command} onCopied={onCopied} />
      <Button className={styles.action} onClick={onDone}>
        Done
      </Button>
    </section>
  );
}
