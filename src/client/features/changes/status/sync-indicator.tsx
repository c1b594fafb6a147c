import { CircleAlert, CloudCheck, CloudOff, CloudUpload, type LucideIcon } from 'lucide-react';
import { type SummaryWords, summaryWords } from './summary-words.ts';
import styles from './sync-indicator.module.css';
import { useSyncSummary } from './use-sync-summary.ts';

const icons: Record<SummaryWords['is'], LucideIcon> = {
  bad: CircleAlert,
  sending: CloudUpload,
  waiting: CloudUpload,
  offline: CloudOff,
  saved: CloudCheck,
};

/** The header's quiet word on sync; a tap lists the changes. */
export function SyncIndicator({ onOpen }: { onOpen: () => void }) {
  const summary = useSyncSummary();
  if (!summary) return null;
  const { is, text, brief } = summaryWords(summary);
  const Icon = icons[is];
  const { sentCount, waitingCount } = summary;
  return (
    <button
      type="button"
      className={styles.indicator}
      data-is={is}
      onClick={onOpen}
      aria-label={`${text}${is === 'sending' ? `, ${waitingCount} waiting` : ''}. Sync details`}
      aria-haspopup="dialog"
    >
      <Icon aria-hidden size={18} />
      <span aria-hidden className={styles.full}>
        {text}
      </span>
      <span aria-hidden className={styles.brief}>
        {brief}
      </span>
      {is === 'sending' && (
        <progress aria-hidden max={sentCount + waitingCount} value={sentCount} />
      )}
    </button>
  );
}
