import { type FormEvent, useState } from 'react';

type Errors<Values> = Partial<Record<keyof Values, string>>;

interface FormRules<Values> {
  initial: Values;
  /** Messages by field; empty when all is well. */
  check: (values: Values) => Errors<Values>;
  submit: (values: Values) => Promise<void>;
}

/**
 * idle → submitting → done or failed. Editing a field clears its error and the failure; a refused submit moves the
 * focus to the first wrong field. What was typed is never lost.
 */
export function useForm<Values extends object>({ initial, check, submit }: FormRules<Values>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);

  function change<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    setValues({ ...values, [name]: value });
    setErrors({ ...errors, [name]: undefined });
    setFailure(null);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSubmitting) return;
    const found = check(values);
    setErrors(found);
    setFailure(null);
    const [firstWrong] = Object.keys(found);
    if (firstWrong) return focusField(event.currentTarget, firstWrong);
    setSubmitting(true);
    try {
      await submit(values);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setSubmitting(false);
    }
  }

  return { values, errors, failure, isSubmitting, change, onSubmit };
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
