import { numberText } from '../text.ts';
import { type Bounds, type FieldSpec, maxNameLength } from './field-spec.ts';
import { type NamedField, type PlantFieldName, wireFields } from './fields.ts';
import type { PlantFormValues } from './form.ts';

/** Messages by field, in the order of the inputs. */
export type PlantFormErrors = Partial<Record<PlantFieldName, string>>;

/**
 * The errors of one step of the wizard (spec section 5, and section 9 for the bounds of number inputs). Values that the
 * server would reject are errors too, because without a network its response would come much later.
 */
export function checkStep(step: FieldSpec['step'], values: PlantFormValues): PlantFormErrors {
  const errors: PlantFormErrors = {};
  for (const field of wireFields.filter(({ spec }) => spec.step === step)) {
    const error = errorOf(field, values);
    if (error) errors[field.name] = error;
  }
  return errors;
}

/** The error of one input; null if its value is accepted. */
export function errorOf(field: NamedField, values: PlantFormValues): string | null {
  const { name, spec } = field;
  const value = values[name];
  if (spec.type === 'name') {
    return String(value).trim() === '' ? spec.missing : lengthError(value, maxNameLength);
  }
  if (spec.type === 'text') return lengthError(value, spec.maxLength);
  if (spec.type === 'number') return numberError(field, value);
  return spec.type === 'range' ? rangeError(field, values) : null;
}

function numberError({ name, spec }: NamedField, value: unknown): string | null {
  if (spec.type !== 'number') return null;
  const { required, limits } = spec;
  if (!required) return boundsError(value, boundsOf(name)) ?? boundsError(value, limits);
  if (typeof value !== 'number' || value <= (limits.above ?? 0)) return required;
  return value > limits.max ? `Must be at most ${numberText(limits.max)}` : null;
}

/** The text is counted as it is sent: without spaces around it. */
function lengthError(value: unknown, max: number): string | null {
  return String(value).trim().length > max ? `Must be at most ${max} characters` : null;
}

/**
 * The error of one end of a range. Only one end has an error at a time. A value outside its bounds is reported at its
 * own end, at the minimum first. If only the maximum is empty, that is reported at the maximum. An empty minimum or a
 * wrong order is reported at the minimum.
 */
function rangeError({ name, spec, end }: NamedField, values: PlantFormValues): string | null {
  if (spec.type !== 'range') return null;
  const low = name.replace(/_max$/, '_min') as PlantFieldName;
  const high = name.replace(/_min$/, '_max') as PlantFieldName;
  const [min, max] = [values[low], values[high]];
  const errorAt = (side: PlantFieldName, value: unknown) =>
    boundsError(value, boundsOf(side)) ?? boundsError(value, spec.limits);
  const lowError = errorAt(low, min);
  const highError = errorAt(high, max);
  if (lowError || highError) return end === 'min' ? lowError : lowError ? null : highError;
  if (max === null && min !== null) return end === 'max' ? orderText : null;
  const isOrdered = min !== null && max !== null && min < max;
  return end === 'min' && !isOrdered ? orderText : null;
}

const orderText = 'Minimum must be less than maximum';

/** Bounds of a number input (spec section 9). */
export function boundsOf(name: PlantFieldName): Bounds {
  return bounds.get(name) ?? {};
}

const bounds = new Map(
  wireFields.map(({ name, spec, end }) => {
    if (spec.type === 'range' && end) return [name, spec.inputs?.[end]];
    return [name, spec.type === 'number' ? spec.input : undefined];
  }),
);

function boundsError(value: unknown, { min, max }: Bounds): string | null {
  if (typeof value !== 'number') return null;
  const isWithin = value >= (min ?? value) && value <= (max ?? value);
  if (isWithin) return null;
  if (max === undefined) return `Must be ${min} or more`;
  if (min === undefined) return `Must be at most ${numberText(max)}`;
  return `Must be between ${min} and ${numberText(max)}`;
}
