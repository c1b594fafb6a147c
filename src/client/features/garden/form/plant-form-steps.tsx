import { Checkbox, Field, SelectField, TextAreaField } from '#client/ui/form/field.tsx';
import { textField } from '#client/ui/form/use-form.ts';
import { type NumberName, type RangeFieldName, rangeFieldNames } from '#domain/plant/fields.ts';
import type { PlantFormValues } from '#domain/plant/form.ts';
import { boundsOf, type PlantFormErrors } from '#domain/plant/form-rules.ts';
import { categories, fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';
import styles from './plant-form.module.css';
import type { ChangeField } from './use-plant-form.ts';

export function BasicsStep(form: StepProps) {
  const { values, change } = form;
  return (
    <div className={styles.fields}>
      <Field
        label="Nickname"
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="next"
        required
        {...textField(form, 'nickname')}
      />
      <Field
        label="Plant name"
        autoComplete="off"
        enterKeyHint="next"
        required
        {...textField(form, 'plant_name')}
      />
      <Field
        label="Species"
        autoComplete="off"
        enterKeyHint="next"
        required
        {...textField(form, 'species')}
      />
      <SelectField
        label="Category"
        name="category"
        options={choicesOf(
          Object.fromEntries(categories.map((name) => [name, name])),
          values.category,
        )}
        value={values.category}
        onChange={(event) => change('category', event.target.value)}
      />
      <div className={styles.wide}>
        <Field
          label="Location (optional)"
          autoComplete="off"
          enterKeyHint="next"
          {...textField(form, 'location')}
        />
      </div>
      <div className={styles.wide}>
        <TextAreaField
          label="Description (optional)"
          enterKeyHint="enter"
          rows={4}
          {...textField(form, 'description')}
        />
      </div>
    </div>
  );
}

const rangeLegends: Record<RangeFieldName, string> = {
  ideal_temperature: 'Ideal temperature (°C)',
  soil_humidity_threshold: 'Soil humidity (%)',
  air_humidity_threshold: 'Air humidity (%)',
  temperature_threshold: 'Temperature limits (°C)',
  luminance_threshold: 'Light (lux)',
};

export function CareStep(props: StepProps) {
  const { values, change } = props;
  return (
    <>
      <div className={`${styles.fields} ${styles.three}`}>
        <NumberField {...props} label="Watering frequency (days)" name="watering_frequency" />
        <SelectField
          label="Sunlight"
          name="sunlight_requirements"
          options={choicesOf(sunlightLabels, values.sunlight_requirements)}
          value={values.sunlight_requirements}
          onChange={(event) => change('sunlight_requirements', event.target.value)}
        />
        <SelectField
          label="Fertilizer"
          name="fertilizer_schedule"
          options={choicesOf(fertilizerLabels, values.fertilizer_schedule)}
          value={values.fertilizer_schedule}
          onChange={(event) => change('fertilizer_schedule', event.target.value)}
        />
      </div>
      <div className={styles.fields}>
        {rangeFieldNames.map((name) => (
          <fieldset key={name} className={styles.range}>
            <legend>{rangeLegends[name]}</legend>
            <NumberField {...props} label="Minimum" name={`${name}_min`} />
            <NumberField {...props} label="Maximum" name={`${name}_max`} />
          </fieldset>
        ))}
      </div>
    </>
  );
}

export function SmartStep(form: StepProps) {
  const { values, change, deviceSharers = [] } = form;
  const [sharer, ...others] = deviceSharers;
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
      <div id="device-hint" className={styles.hint}>
        <p>The ID of the sensor device beside this plant. Leave it blank if there is none.</p>
        <p role="status">
          {sharer !== undefined && (
            <span>
              <bdi>{sharer}</bdi>{' '}
              <span>{others.length > 0 ? `and ${others.length} more have` : 'has'}</span> the same
              device ID. Unless the device names the plant in its reports, none of them gets
              readings or automatic watering.
            </span>
          )}
        </p>
      </div>
      <Checkbox
        label="Enable automatic watering (requires a compatible device)"
        name="auto_watering_enabled"
        checked={values.auto_watering_enabled}
        onChange={(event) => change('auto_watering_enabled', event.target.checked)}
      />
    </>
  );
}

/** A number field. The form's value is a number, or null while the input is empty or invalid. */
function NumberField({
  label,
  name,
  values,
  errors,
  change,
}: StepProps & { label: string; name: NumberName }) {
  const bounds = boundsOf(name);
  return (
    <Field
      label={label}
      name={name}
      type="number"
      // iOS has no minus on its decimal keypad, so fields that may be negative use the full keyboard.
      inputMode={bounds.min === undefined ? undefined : 'decimal'}
      enterKeyHint="next"
      step="any"
      {...bounds}
      value={values[name] ?? ''}
      error={errors[name]}
      // Not onChange, which does not fire when an empty field gets invalid input such as a lone minus.
      onInput={({ currentTarget: { value } }) => change(name, value === '' ? null : Number(value))}
      // In Chromium the wheel would change the number instead of scrolling the form.
      onWheel={({ currentTarget }) => currentTarget.blur()}
    />
  );
}

interface StepProps {
  values: PlantFormValues;
  errors: PlantFormErrors;
  change: ChangeField;
  /** The nicknames of other plants with the device ID that is entered. */
  deviceSharers?: readonly string[];
}

/** The options of a select; a value set by another client stays selectable. */
function choicesOf(
  labels: Readonly<Record<string, string>>,
  current: string,
): [value: string, label: string][] {
  const known = Object.entries(labels);
  return current in labels ? known : [...known, [current, current]];
}
