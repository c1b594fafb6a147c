import { type EntryField, entryFields } from '#domain/journal/entry.ts';
import type { OpEntry } from '../outbox/op.ts';

/** The values of an entry that a person can change; `at` in ms. */
export type EntryChange = Pick<OpEntry, EntryField>;

/** The fields that an edit of an entry changes, with their new values. */
export function changedValues({ changed = entryFields, ...entry }: OpEntry): Partial<EntryChange> {
  return pickFields(entry, changed);
}

/** The fields in which two states of an entry differ. */
export function differingFields(one: EntryChange, other: EntryChange): EntryField[] {
  return entryFields.filter((field) => one[field] !== other[field]);
}

export function pickFields(
  values: EntryChange,
  fields: readonly EntryField[],
): Partial<EntryChange> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
