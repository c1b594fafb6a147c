import { Clock } from 'lucide-react';
import styles from './read-time.module.css';

export function ReadTime({
  minutes,
  look = 'plain',
}: {
  minutes: number;
  look?: 'plain' | 'badge';
}) {
  return (
    <span className={`${styles.time} ${styles[look]}`}>
      <Clock aria-hidden size={14} />
      <span>{minutes} min read</span>
    </span>
  );
}
