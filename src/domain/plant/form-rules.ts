import { pairNames } from './field-groups.ts';
import type { NumberName, PlantFormValues } from './form.ts';

export type PlantFormErrors = Partial<Record<keyof PlantFormValues, string>>;

const required = {
  nickname: 'Nickname is required',
  plant_name: 'Plant name is required',
  species: 'Species is required',
} as const;

/** Step 1 of the wizard (spec section 5). Messages by field, in the order of the inputs. */
export function checkBasics(values: PlantFormValues): PlantFormErrors {
  const missing = (Object.keys(required) as (keyof typeof required)[]).filter(
    (name) => values[name].trim() === '',
  );
  return Object.fromEntries(missing.map((name) => [name, required[name]]));
}

/** Step 2 of the wizard (spec section 5) and the bounds of its inputs (section 9). An empty end has no order. */
export function checkCare(values: PlantFormValues): PlantFormErrors {
  const errors: PlantFormErrors = {};
  const { watering_frequency } = values;
  if (watering_frequency === null || !(watering_frequency > 0)) {
    errors.watering_frequency = 'Must be a positive number';
  }
  for (const name of pairNames) {
    const [low, high] = [`${name}_min`, `${name}_max`] as const;
    const [min, max] = [values[low], values[high]];
    const unbound = outOfBounds(values, low) ? low : outOfBounds(values, high) ? high : null;
    if (unbound) errors[unbound] = boundsText(unbound);
    else if (max === null && min !== null) errors[high] = orderText;
    else if (min === null || max === null || min >= max) errors[low] = orderText;
  }
  return errors;
}

const orderText = 'Minimum must be less than maximum';

export interface Bounds {
  min?: number;
  max?: number;
}

/** Bounds of a number input (spec section 9). */
export function boundsOf(name: keyof PlantFormValues): Bounds {
  if (name === 'watering_frequency') return { min: 1 };
  if (name.includes('humidity')) return { min: 0, max: 100 };
  return name === 'luminance_threshold_min' ? { min: 0 } : {};
}

function outOfBounds(values: PlantFormValues, name: NumberName): boolean {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = boundsOf(name);
  const value = values[name];
  return value !== null && (value < min || value > max);
}

function boundsText(name: keyof PlantFormValues): string {
  const { min = 0, max } = boundsOf(name);
  return max === undefined ? `Must be ${min} or more` : `Must be between ${min} and ${max}`;
}
