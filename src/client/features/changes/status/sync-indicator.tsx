import { useObservable } from 'dexie-react-hooks';
import { CircleAlert, CloudCheck, CloudOff, CloudUpload, type LucideIcon } from 'lucide-react';
import { useDb, useZone } from '#client/session/current.tsx';
import { type SyncSummary, watchSyncStatus } from '#client/store/sync-status.ts';
import { formatMoment } from '#domain/dates.ts';
import { plural } from '#domain/text.ts';
import type { TimeZone } from '#domain/zone.ts';
import styles from './sync-indicator.module.css';

const icons: Record<SummaryText['type'], LucideIcon> = {
  bad: CircleAlert,
  sending: CloudUpload,
  waiting: CloudUpload,
  offline: CloudOff,
  saved: CloudCheck,
};

/** The header's sync status; a tap opens the list of changes. */
export function SyncIndicator({ onOpen }: { onOpen: () => void }) {
  const zone = useZone();
  const summary = useSyncSummary();
  if (!summary) return null;
  const { type, text, brief } = summaryText(summary, zone);
  const Icon = icons[type];
  const { sentCount, waitingCount } = summary;
  // The name contains the brief text too, because people who control the phone by voice say what they see.
  const names = text.includes(brief) ? [text] : [text, brief];
  if (type === 'sending') names.push(`${waitingCount} waiting`);
  return (
    <button
      type="button"
      className={styles.indicator}
      data-status={type}
      onClick={onOpen}
      aria-label={`${names.join(', ')}. Sync details`}
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

interface SummaryText {
  type: 'bad' | 'sending' | 'waiting' | 'offline' | 'saved';
  text: string;
  /** For a phone's header, which has no room for the text; '' where the icon is enough. */
  brief: string;
}

/** The sync summary of the signed-in account; undefined until it has been read from the device's database. */
export function useSyncSummary(): SyncSummary | undefined {
  const db = useDb();
  return useObservable(() => watchSyncStatus(db), [db]);
}

/**
 * The sync status in one line, the first of these that applies: rejected changes, unsent changes, no connection,
 * connecting, all saved.
 */
export function summaryText(summary: SyncSummary, zone: TimeZone): SummaryText {
  const { connectivity, rejectedCount, waitingCount, sentCount, pulledAt } = summary;
  if (rejectedCount > 0) {
    const text = `${plural(rejectedCount, 'change')} could not be saved`;
    return { type: 'bad', text, brief: `${rejectedCount} not saved` };
  }
  if (waitingCount > 0) {
    const all = sentCount + waitingCount;
    if (connectivity === 'online' && sentCount > 0) {
      const text = `${sentCount} of ${all} changes sent`;
      return { type: 'sending', text, brief: `${sentCount} of ${all}` };
    }
    const text = `${plural(waitingCount, 'change')} waiting`;
    return { type: 'waiting', text, brief: `${waitingCount} waiting` };
  }
  if (connectivity === 'offline') return { type: 'offline', text: 'Offline', brief: '' };
  if (connectivity === 'unreachable')
    return { type: 'offline', text: 'Server not reachable', brief: '' };
  if (pulledAt === null) return { type: 'saved', text: 'Connecting', brief: '' };
  return { type: 'saved', text: `All saved at ${formatMoment(pulledAt, 'time', zone)}`, brief: '' };
}
