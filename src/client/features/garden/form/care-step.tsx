import { SelectField } from '#client/ui/form/field.tsx';
import type { RangeName } from '#domain/plant/fields.ts';
import { fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';
import { NumberField } from './number-field.tsx';
import styles from './plant-form.module.css';
import { choicesOf, type StepProps } from './step-props.ts';

const ranges: readonly [RangeName, legend: string][] = [
  ['ideal_temperature', 'Ideal temperature (°C)'],
  ['soil_humidity_threshold', 'Soil humidity (%)'],
  ['air_humidity_threshold', 'Air humidity (%)'],
  ['temperature_threshold', 'Temperature limits (°C)'],
  ['luminance_threshold', 'Light (lux)'],
];

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
        {ranges.map(([name, legend]) => (
          <fieldset key={name} className={styles.range}>
            <legend>{legend}</legend>
            <NumberField {...props} label="Minimum" name={`${name}_min`} />
            <NumberField {...props} label="Maximum" name={`${name}_max`} />
          </fieldset>
        ))}
      </div>
    </>
  );
}
