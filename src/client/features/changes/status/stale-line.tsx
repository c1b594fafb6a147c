import { formatMoment } from '#domain/dates.ts';
import styles from './stale-line.module.css';
import { useSyncSummary } from './use-sync-summary.ts';

/** Says quietly that what is shown is not of now, and of when it is. */
export function StaleLine() {
  const summary = useSyncSummary();
  if (!summary || summary.reach === 'online' || summary.reach === 'unknown') return null;
  const why = summary.reach === 'offline' ? 'Offline' : 'Server not reachable';
  return (
    <p className={styles.line} role="status">
      {why}
      {summary.pulledAt !== null && `. Last updated ${formatMoment(summary.pulledAt, 'dateTime')}`}
    </p>
  );
}
