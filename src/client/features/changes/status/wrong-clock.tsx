import { clockWords } from './clock-words.ts';
import styles from './stale-line.module.css';

export function WrongClock({ offsetMs }: { offsetMs: number }) {
  return (
    <p className={styles.line} role="status">
      {clockWords(offsetMs)}
    </p>
  );
}
