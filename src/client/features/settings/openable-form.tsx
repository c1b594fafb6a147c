import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { focusIfLost } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { ConfirmDiscardChanges, noParams, useUnsavedGuard } from '../dashboard/unsaved-guard.tsx';
import { failureText } from './failure-text.ts';
import styles from './settings.module.css';

interface OpenableFormProps {
  title: string;
  /** The current value. */
  value?: string;
  openText: string;
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  form: {
    /** Empty until something is typed, except that the browser may fill in `password`, the current one. */
    values: { password: string } & Record<string, string>;
    failure: Error | null;
    isSubmitting: boolean;
    onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  };
  submitText: string;
  busyText: string;
  /** The message if it failed but the change may have been made. */
  ifUnknown?: string;
  /** The message after the form was submitted. */
  result: ReactNode;
  /** The form's fields. */
  children: ReactNode;
}

/**
 * A row with a button that opens a form below the row. The button is hidden while the form is open. Leaving the screen
 * with input in the form, other than the current password alone, needs a confirmation.
 */
export function OpenableForm(props: OpenableFormProps) {
  const { title, value, openText, isOpen, onOpen, onClose, form, result, children } = props;
  const titleId = useId();
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const hasInput = Object.entries(form.values).some(
    ([name, value]) => name !== 'password' && value !== '',
  );
  const { question } = useUnsavedGuard(isOpen && hasInput && !form.isSubmitting, noParams);
  return (
    <div className={styles.group}>
      <div className={styles.row}>
        <div className={styles.facts}>
          <h3 id={titleId}>{title}</h3>
          {value !== undefined && <p className={styles.long}>{value}</p>}
        </div>
        {!isOpen && (
          <Button
            ref={wasOpen ? focusIfLost : undefined}
            look="quiet"
            size="small"
            onClick={onOpen}
          >
            {openText}
          </Button>
        )}
      </div>
      {isOpen && (
        <form
          ref={focusFirstField}
          className={styles.form}
          aria-labelledby={titleId}
          onSubmit={form.onSubmit}
          noValidate
        >
          {form.failure && (
            <Banner look="error">{failureText(form.failure, props.ifUnknown)}</Banner>
          )}
          {children}
          <div className={styles.answers}>
            <Button look="quiet" onClick={onClose} disabled={form.isSubmitting}>
              Cancel
            </Button>
            <Button type="submit" busyText={form.isSubmitting ? props.busyText : null}>
              {props.submitText}
            </Button>
          </div>
        </form>
      )}
      {/* Always in the page, because screen readers may miss a live region that appears with its text. */}
      <div className={styles.outcome} role="status">
        {!isOpen && result}
      </div>
      <ConfirmDiscardChanges question={question} />
    </div>
  );
}

/** Needed because the button that opened the form had the focus and is now hidden. */
function focusFirstField(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}
