import { type FormEvent, type ReactNode, useState } from 'react';
import { rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { focusFirstInvalid } from '#client/ui/form/use-form.ts';
import { ConfirmDiscardChanges, noParams, useUnsavedGuard } from '../dashboard/unsaved-guard.tsx';
import { SaveNote, useSaving } from './save-note.tsx';
import styles from './settings.module.css';

interface SettingFormProps<Values extends Record<string, string>> {
  /** For screen readers. */
  label: string;
  /** The values as they are saved. */
  saved: Values;
  /** Error messages by field. */
  check?: (values: Values) => Partial<Record<keyof Values, string>>;
  onSave: (values: Values) => Promise<void>;
  children: (field: (name: keyof Values & string) => SettingField) => ReactNode;
}

/** The props that connect an input to its form. */
export interface SettingField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

/**
 * A form whose values are saved together. A Save button is shown while there is unsaved input. A new value of `saved`
 * does not replace unsaved input. Leaving the screen with unsaved input needs a confirmation.
 */
export function SettingForm<Values extends Record<string, string>>({
  label,
  saved,
  check,
  onSave,
  children,
}: SettingFormProps<Values>) {
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [submitted, setSubmitted] = useState(typed);
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({});
  const { state, save, reset } = useSaving();
  const isSaving = state.type === 'saving';
  const values = { ...saved, ...typed };
  // What is saved, or will be once the running request has succeeded.
  const sent = isSaving ? { ...saved, ...submitted } : saved;
  const isChanged = Object.keys(values).some((name) => values[name] !== sent[name]);
  const { question } = useUnsavedGuard(isChanged, noParams);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSaving || !isChanged) return;
    const found = check?.(values) ?? {};
    setErrors(found);
    if (focusFirstInvalid(form, found)) return;
    const pressed = document.activeElement;
    const moveFocus = rememberFocus();
    setSubmitted(typed);
    if (!(await save(() => onSave(values)))) return setTyped((now) => withoutSaved(now, saved));
    // Keeps what was typed while it was being saved.
    setTyped((now) => (now === typed ? {} : now));
    // The Save button disappears and may have had the focus.
    const [first = ''] = Object.keys(saved);
    const firstField = form.elements.namedItem(first);
    if (pressed instanceof HTMLButtonElement && firstField instanceof HTMLElement) {
      moveFocus(firstField);
    }
  }

  const field = (name: keyof Values & string): SettingField => ({
    name,
    value: values[name] ?? '',
    error: errors[name],
    onChange: ({ target }) => {
      setTyped((now) => {
        const next = { ...now, [name]: target.value };
        // While another value is being saved, the saved one is an entry like any other.
        return isSaving ? next : withoutSaved(next, saved);
      });
      setErrors({});
      reset();
    },
  });
  return (
    <>
      <form className={styles.form} aria-label={label} onSubmit={submit} noValidate>
        {children(field)}
        <div className={styles.result}>
          {(isChanged || isSaving) && (
            <Button type="submit" busyText={isSaving ? 'Saving...' : null}>
              Save
            </Button>
          )}
          <SaveNote state={isChanged && state.type === 'saved' ? { type: 'none' } : state} />
        </div>
      </form>
      <ConfirmDiscardChanges question={question} />
    </>
  );
}

/** Without the entries that equal the saved values, so that their fields follow later changes of `saved`. */
function withoutSaved<Values extends Record<string, string>>(
  typed: Partial<Values>,
  saved: Values,
): Partial<Values> {
  const next = { ...typed };
  for (const name in next) if (next[name] === saved[name]) delete next[name];
  return next;
}
