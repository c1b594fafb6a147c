import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import type { EntryChange } from '#client/store/journal/changed-fields.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { focusOnMount } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { Field, SelectField, TextAreaField } from '#client/ui/form/field.tsx';
import { focusField, textField, useForm } from '#client/ui/form/use-form.ts';
import { useNow } from '#client/ui/use-now.ts';
import { type AddableType, addableTypes, entryLimits } from '#domain/journal/entry.ts';
import { entryTitles } from '#domain/journal/words.ts';
import { ConfirmDiscardChanges, useUnsavedGuard } from '../dashboard/unsaved-guard.tsx';
import {
  checkEntry,
  dateLimits,
  type EntryValues,
  toEntryChange,
  toEntryValues,
  withCurrent,
} from './entry-fields.ts';
import styles from './entry-form.module.css';

/** The types that the form offers. A snooze is missing, because only the Snooze menu of a due plant adds one. */
export const formTypes = addableTypes.filter((type) => type !== 'snoozed');

/** A change of these parameters asks about unsaved input. Opening a photo (`photo`) leaves the form open. */
const params = ['plant', 'tab'] as const;

export interface EntryFormHandle {
  /** For a choice outside the form: changes the type of a new entry, keeps what was typed, and focuses the note. */
  changeType: (type: AddableType) => void;
}

interface EntryFormProps {
  ref?: Ref<EntryFormHandle>;
  title: string;
  /**
   * The first values: defaults for a new entry, or those of the stored entry, which may change while the form is open.
   * `at` in ms.
   */
  initial: EntryChange & { type: AddableType };
  /** The type can be chosen only for a new entry. */
  isNew?: boolean;
  /** The entry has been deleted meanwhile. */
  isGone?: boolean;
  /** The plant has been deleted meanwhile: the input can be copied but not saved. */
  isReadOnly?: boolean;
  submitText: string;
  onSubmit: (change: EntryChange & { type: AddableType }) => Promise<void>;
  onClose: () => void;
}

/** Form for date and time, amount and note of an entry, and for the type of a new one. */
export function EntryForm({
  ref,
  title,
  initial,
  isNew = false,
  isGone = false,
  isReadOnly = false,
  submitText,
  onSubmit,
  onClose,
}: EntryFormProps) {
  const zone = useZone();
  // The time of useNow may be up to 30 s old when the form is opened, so that the date of a new entry would be too late.
  const [openedAt] = useState(() => Date.now());
  const limits = dateLimits(Math.max(openedAt, useNow()), zone);
  const [first, setFirst] = useState(() => toEntryValues(initial, zone));
  const entered = (typed: EntryValues) => withCurrent(typed, first, toEntryValues(initial, zone));
  const form = useForm<EntryValues>({
    initial: first,
    check: (typed) => checkEntry(entered(typed), initial.at, Date.now(), zone),
    submit: (typed) =>
      onSubmit({ type: typed.type, ...toEntryChange(entered(typed), initial.at, zone) }),
  });
  const isDirty = JSON.stringify(form.values) !== JSON.stringify(first);
  const { question } = useUnsavedGuard(isDirty && !form.isSubmitting, params);
  const { type } = form.values;
  const element = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => ({
    changeType: (chosen) => {
      form.change('type', chosen);
      // A choice in a menu is no unsaved input.
      setFirst((values) => ({ ...values, type: chosen }));
      if (element.current) focusField(element.current, 'note');
    },
  }));
  return (
    <form
      ref={element}
      className={styles.form}
      onSubmit={form.onSubmit}
      noValidate
      aria-label={title}
    >
      <h3 ref={focusOnMount} tabIndex={-1}>
        {title}
      </h3>
      {isGone && (
        <Banner look="error">
          <p>This entry has been deleted, perhaps on another device. It can be added again.</p>
        </Banner>
      )}
      {isNew && (
        <SelectField
          label="What"
          name="type"
          options={formTypes.map((name) => [name, entryTitles[name]] as const)}
          value={type}
          onChange={(event) => {
            const chosen = formTypes.find((name) => name === event.target.value);
            if (chosen) form.change('type', chosen);
          }}
        />
      )}
      <Field label="Date and time" type="datetime-local" {...limits} {...textField(form, 'at')} />
      {type === 'watered' && (
        <Field
          label="Amount in ml (optional)"
          inputMode="decimal"
          enterKeyHint="done"
          autoComplete="off"
          {...textField(form, 'amount')}
        />
      )}
      <TextAreaField
        label={type === 'note' ? 'Note' : 'Note (optional)'}
        rows={3}
        maxLength={entryLimits.note}
        {...textField(form, 'note')}
      />
      <div className={styles.actions}>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          disabled={isReadOnly}
          busyText={form.isSubmitting ? 'Saving...' : null}
        >
          {submitText}
        </Button>
      </div>
      <ConfirmDiscardChanges question={question} />
    </form>
  );
}
