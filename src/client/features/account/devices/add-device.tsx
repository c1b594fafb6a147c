import { useId } from 'react';
import { type NewDevice, readingsUrl } from '#client/session/settings/devices.ts';
import { focusOnMount } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { CopyText } from '#client/ui/form/copy-text.tsx';
import { Field } from '#client/ui/form/field.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { shellQuoted } from '#domain/text.ts';
import {
  ConfirmDiscardChanges,
  type GuardedParams,
  useUnsavedGuard,
} from '../../dashboard/unsaved-guard.tsx';
import { DeviceFailure } from './device-list.tsx';
import styles from './devices-sheet.module.css';

const maxIdLength = 200;

export function AddDeviceForm({
  openedBy,
  onAdd,
}: {
  /** The search params that open the form. Must be the same array in every rendering. */
  openedBy: GuardedParams;
  onAdd: (deviceId: string) => Promise<void>;
}) {
  const hintId = useId();
  const form = useForm({
    initial: { deviceId: '' },
    check: ({ deviceId }) => (deviceId.trim() === '' ? { deviceId: 'Device ID is required' } : {}),
    submit: ({ deviceId }) => onAdd(deviceId),
  });
  const hasInput = form.values.deviceId !== '';
  const { question } = useUnsavedGuard(hasInput && !form.isSubmitting, openedBy);
  return (
    <>
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        {form.failure && <DeviceFailure failure={form.failure} />}
        <Field
          label="Device ID"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={maxIdLength}
          aria-describedby={hintId}
          {...textField(form, 'deviceId')}
        />
        <p id={hintId} className={styles.quiet}>
          The same Device ID as its plant has.
        </p>
        <Button
          type="submit"
          className={styles.action}
          busyText={form.isSubmitting ? 'Adding...' : null}
        >
          Add device
        </Button>
      </form>
      <ConfirmDiscardChanges question={question} />
    </>
  );
}

/** Shows a new device's secret, which cannot be shown again: the server stores only its hash. */
export function DeviceSecret({
  added: { device, secret },
  onCopied,
  onDone,
}: {
  added: NewDevice;
  onCopied: () => void;
  onDone: () => void;
}) {
  const headingId = useId();
  const command = curlCommand(readingsUrl(), device.deviceId, secret);
  return (
    <section className={styles.secret} aria-labelledby={headingId}>
      <h3 id={headingId} ref={focusOnMount} tabIndex={-1}>
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

/** The shell command that posts one soil reading as the device. */
export function curlCommand(url: string, deviceId: string, secret: string): string {
  const reading = JSON.stringify({ device_id: deviceId, soil_humidity: 42 });
  return [
    `curl ${shellQuoted(url)}`,
    `-H ${shellQuoted(`Authorization: Bearer ${secret}`)}`,
    `-H ${shellQuoted('Content-Type: application/json')}`,
    `-d ${shellQuoted(reading)}`,
  ].join(' ');
}
