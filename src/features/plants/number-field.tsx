import type { NumberName } from '#domain/plant-form.ts';
import { boundsOf } from '#domain/plant-form-rules.ts';
import { Field } from '#ui/field.tsx';
import type { StepProps } from './step-props.ts';

/** A number of the form: stored as a number, or null while its input is empty. */
export function NumberField({
  label,
  name,
  values,
  errors,
  change,
}: StepProps & { label: string; name: NumberName }) {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      inputMode="decimal"
      enterKeyHint="next"
      step="any"
      {...boundsOf(name)}
      value={values[name] ?? ''}
      error={errors[name]}
      onChange={({ target }) => change(name, target.value === '' ? null : Number(target.value))}
    />
  );
}
