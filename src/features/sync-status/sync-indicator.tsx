import { CircleAlert, CloudCheck, CloudOff, CloudUpload, type LucideIcon } from 'lucide-react';
import { requestSync, type SyncSummary } from '#data/sync-status.ts';
import { formatMoment } from '#domain/dates.ts';
import { useDb } from '#session/current.tsx';
import styles from './sync-indicator.module.css';
import { useSyncSummary } from './use-sync-summary.ts';

/** The header's quiet word on sync; a tap asks for a round now. */
export function SyncIndicator() {
  const db = useDb();
  const summary = useSyncSummary();
  if (!summary) return null;
  const { Icon, text, brief = text, look } = inWords(summary);
  return (
    <button
      type="button"
      className={`${styles.indicator} ${styles[look]}`}
      onClick={() => void requestSync(db)}
      aria-label={`${text}. Sync now`}
    >
      <Icon aria-hidden size={18} />
      <span aria-hidden className={styles.full}>
        {text}
      </span>
      <span aria-hidden className={styles.brief}>
        {brief}
      </span>
    </button>
  );
}

interface Words {
  Icon: LucideIcon;
  text: string;
  /** Where a phone's header has no room for the text. */
  brief?: string;
  look: 'calm' | 'busy' | 'bad';
}

function inWords(summary: SyncSummary): Words {
  const { reach, waitingCount, parkedCount, pulledAt } = summary;
  if (parkedCount > 0) {
    const text = `${changes(parkedCount)} could not be saved`;
    return { Icon: CircleAlert, text, brief: `${parkedCount} not saved`, look: 'bad' };
  }
  if (waitingCount > 0) {
    const text = `${changes(waitingCount)} waiting`;
    return { Icon: CloudUpload, text, brief: `${waitingCount} waiting`, look: 'busy' };
  }
  if (reach === 'offline') return { Icon: CloudOff, text: 'Offline', look: 'calm' };
  if (reach === 'unreachable') {
    return { Icon: CloudOff, text: 'Server not reachable', look: 'calm' };
  }
  if (pulledAt === null) return { Icon: CloudCheck, text: 'Connecting', look: 'calm' };
  return { Icon: CloudCheck, text: `All saved at ${formatMoment(pulledAt, 'time')}`, look: 'calm' };
}

function changes(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`;
}
