import { addDevice, type NewDevice } from '#client/session/devices.ts';
import { Button } from '#client/ui/form/button.tsx';
import { Field } from '#client/ui/form/field.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { DeviceFailure } from './device-failure.tsx';
import styles from './devices-sheet.module.css';

const maxIdLength = 200;

export function AddDeviceForm({ onAdded }: { onAdded: (added: NewDevice) => void }) {
  const form = useForm({
    initial: { deviceId: '' },
    check: ({ deviceId }) => (deviceId.trim() === '' ? { deviceId: 'Device ID is required' } : {}),
    submit: async ({ deviceId }) => onAdded(await addDevice(deviceId)),
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure && <DeviceFailure failure={form.failure} />}
      <Field
        label="Device ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={maxIdLength}
        aria-describedby="device-id-hint"
        {...textField(form, 'deviceId')}
      />
      <p id="device-id-hint" className={styles.quiet}>
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
  );
}
