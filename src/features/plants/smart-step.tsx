import { Checkbox, Field } from '#ui/field.tsx';
import styles from './plant-form.module.css';
import type { StepProps } from './step-props.ts';

export function SmartStep({ values, errors, change }: StepProps) {
  return (
    <>
      <Field
        label="Device ID (optional)"
        name="device_id"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        aria-describedby="device-hint"
        value={values.device_id}
        error={errors.device_id}
        onChange={(event) => change('device_id', event.target.value)}
      />
      <p id="device-hint" className={styles.hint}>
        The ID of the sensor device beside this plant. Leave it blank if there is none.
      </p>
      <Checkbox
        label="Enable automatic watering (requires a compatible device)"
        name="auto_watering_enabled"
        checked={values.auto_watering_enabled}
        onChange={(event) => change('auto_watering_enabled', event.target.checked)}
      />
    </>
  );
}
