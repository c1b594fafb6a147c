import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isFocusLost } from '../focus.ts';

type Errors<Values> = Partial<Record<keyof Values, string>>;

interface FormRules<Values> {
  initial: Values;
  /** Error messages by field; empty when all values are valid. */
  check: (values: Values) => Errors<Values>;
  submit: (values: Values) => Promise<void>;
}

/**
 * A form's values, errors by field, the failure of the last submit, and whether a submit is running. Editing a field
 * clears its error, errors of other fields that it corrects, and the failure. A submit with invalid values focuses the
 * first field in the result of `check`. Values stay as they are after a submit.
 */
export function useForm<Values extends object>({ initial, check, submit }: FormRules<Values>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  // State updates too late to stop a second submit in the same tick.
  const isRunning = useRef(false);

  function change<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    setValues((current) => ({ ...current, [name]: value }));
    setErrors((current) => ({ ...current, [name]: undefined }));
    setFailure(null);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isRunning.current) return;
    const found = check(values);
    setErrors(found);
    setFailure(null);
    if (focusFirstInvalid(event.currentTarget, found)) return;
    const pressed = document.activeElement;
    isRunning.current = true;
    setSubmitting(true);
    try {
      await submit(values);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isRunning.current = false;
      flushSync(() => setSubmitting(false));
      // Disabling the submit button has dropped the focus; return it.
      if (pressed instanceof HTMLElement && isFocusLost(pressed)) pressed.focus();
    }
  }

  return {
    values,
    errors: remaining(errors, check(values)),
    failure,
    isSubmitting,
    change,
    onSubmit,
  };
}

/** The errors of fields that are still invalid: 'Passwords do not match' depends on two fields. */
function remaining<Values>(errors: Errors<Values>, now: Errors<Values>): Errors<Values> {
  const kept = Object.entries(errors).filter(([name]) => now[name as keyof Values] !== undefined);
  return Object.fromEntries(kept) as Errors<Values>;
}

interface TextForm<Name extends string> {
  values: Readonly<Record<Name, string>>;
  errors: Partial<Record<Name, string | undefined>>;
  change: (name: Name, value: string) => void;
}

/** The props that connect a text field to its form. */
export function textField<Name extends string>(form: TextForm<NoInfer<Name>>, name: Name) {
  return {
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      form.change(name, event.target.value),
  };
}

/** Focuses the first field with an error. Returns whether there is one. */
export function focusFirstInvalid(form: HTMLFormElement, errors: object): boolean {
  const [name] = Object.keys(errors);
  if (name === undefined) return false;
  const field = form.elements.namedItem(name);
  // Screen readers read the error when the field gets the focus, which it has already after Enter in the field.
  if (field instanceof HTMLElement && field === document.activeElement) field.blur();
  focusField(form, name);
  return true;
}

/** Focuses the form's field with this name. */
export function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
