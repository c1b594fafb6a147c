import { CircleAlert, CloudCheck, CloudOff, CloudUpload, type LucideIcon } from 'lucide-react';
import styles from './sync-indicator.module.css';
import { type SummaryText, summaryText, useSyncSummary } from './sync-summary.ts';

const icons: Record<SummaryText['type'], LucideIcon> = {
  bad: CircleAlert,
  sending: CloudUpload,
  waiting: CloudUpload,
  offline: CloudOff,
  saved: CloudCheck,
};

/** The header's sync status; a tap opens the list of changes. */
export function SyncIndicator({ onOpen }: { onOpen: () => void }) {
  const summary = useSyncSummary();
  if (!summary) return null;
  const { type, text, brief } = summaryText(summary);
  const Icon = icons[type];
  const { sentCount, waitingCount } = summary;
  return (
    <button
      type="button"
      className={styles.indicator}
      data-status={type}
      onClick={onOpen}
      aria-label={`${text}${type === 'sending' ? `, ${waitingCount} waiting` : ''}. Sync details`}
      aria-haspopup="dialog"
    >
      <Icon aria-hidden size={18} />
      <span aria-hidden className={styles.full}>
        {text}
      </span>
      <span aria-hidden className={styles.brief}>
        {brief}
      </span>
      {type === 'sending' && (
        <progress aria-hidden max={sentCount + waitingCount} value={sentCount} />
      )}
    </button>
  );
}
