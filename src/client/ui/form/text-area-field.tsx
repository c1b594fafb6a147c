import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** A labelled text of several lines. */
export function TextAreaField({
  label,
  ...textarea
}: ComponentProps<'textarea'> & { label: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <textarea {...textarea} id={id} />
      </div>
    </div>
  );
}
