import { Field } from '#client/ui/form/field.tsx';
import type { NumberName } from '#domain/plant/fields.ts';
import { boundsOf } from '#domain/plant/form-rules.ts';
import type { StepProps } from './step-props.ts';

/** A number of the form: stored as a number, or null while its input is empty. */
export function NumberField({
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
      // The decimal keypad of iOS has no minus.
      inputMode={bounds.min === undefined ? undefined : 'decimal'}
      enterKeyHint="next"
      step="any"
      {...bounds}
      value={values[name] ?? ''}
      error={errors[name]}
      // Not onChange, which does not fire when an empty field gets invalid input such as a lone minus.
      onInput={({ currentTarget: { value } }) => change(name, value === '' ? null : Number(value))}
    />
  );
}
