import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** A labelled choice of one; `options` are value and label. */
export function ChoiceField({
  label,
  options,
  ...select
}: ComponentProps<'select'> & {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <select {...select} id={id}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
