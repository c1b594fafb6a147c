import { Checkbox, Field } from '#client/ui/form/field.tsx';
import { textField } from '#client/ui/form/use-form.ts';
import styles from './plant-form.module.css';
import type { StepProps } from './step-props.ts';

export function SmartStep(form: StepProps) {
  const { values, change } = form;
  return (
    <>
      <Field
        label="Device ID (optional)"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        aria-describedby="device-hint"
        {...textField(form, 'device_id')}
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
