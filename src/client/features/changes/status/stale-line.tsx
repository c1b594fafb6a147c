import { formatMoment } from '#domain/time.ts';
import styles from './stale-line.module.css';
import { useSyncSummary } from './sync-summary.ts';

/** While the server cannot be reached, says so and when the data was last updated. */
export function StaleLine() {
  const summary = useSyncSummary();
  if (!summary || summary.connectivity === 'online' || summary.connectivity === 'unknown')
    return null;
  const reason = summary.connectivity === 'offline' ? 'Offline' : 'Server not reachable';
  return (
    <p className={styles.line} role="status">
      {reason}
      {summary.pulledAt !== null && `. Last updated ${formatMoment(summary.pulledAt, 'dateTime')}`}
    </p>
  );
}
