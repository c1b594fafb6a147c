import type { PlantFormValues } from '#domain/plant/form.ts';
import type { PlantFormErrors } from '#domain/plant/form-rules.ts';
import type { ChangeField } from './use-plant-form.ts';

export interface StepProps {
  values: PlantFormValues;
  errors: PlantFormErrors;
  change: ChangeField;
}

/** The options of a select; a value set by another client stays selectable. */
export function choicesOf(
  labels: Readonly<Record<string, string>>,
  current: string,
): [value: string, label: string][] {
  const known = Object.entries(labels);
  return current in labels ? known : [...known, [current, current]];
}
