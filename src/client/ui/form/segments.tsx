import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Name extends string> {
  label: string;
  options: readonly { name: Name; short: string; long: string }[];
  value: Name;
  onChange: (name: Name) => void;
}

/** A choice of a few short options in a row, of which one is chosen. Arrow keys move between them. */
export function Segments<Name extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentsProps<Name>) {
  const group = useId();
  return (
    <div className={styles.segments} role="radiogroup" aria-label={label}>
      {options.map(({ name, short, long }) => (
        <label key={name} className={styles.segment}>
          <input
            type="radio"
            name={group}
            aria-label={long}
            checked={name === value}
            onChange={() => onChange(name)}
          />
          <span aria-hidden>{short}</span>
        </label>
      ))}
    </div>
  );
}
