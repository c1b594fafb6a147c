import type { SyncSummary } from '#client/store/sync-status.ts';
import { formatMoment } from '#domain/dates.ts';

export interface SummaryWords {
  is: 'bad' | 'sending' | 'waiting' | 'offline' | 'saved';
  text: string;
  /** Where a phone's header has no room for the text; '' where the icon says it all. */
  brief: string;
}

/** Sync in one line: what needs the person first, then what is under way, then what all is well with. */
export function summaryWords(summary: SyncSummary): SummaryWords {
  const { reach, rejectedCount, waitingCount, sentCount, pulledAt } = summary;
  if (rejectedCount > 0) {
    const text = `${changesOf(rejectedCount)} could not be saved`;
    return { is: 'bad', text, brief: `${rejectedCount} not saved` };
  }
  if (waitingCount > 0) {
    const all = sentCount + waitingCount;
    if (reach === 'online' && sentCount > 0) {
      const text = `${sentCount} of ${all} changes sent`;
      return { is: 'sending', text, brief: `${sentCount} of ${all}` };
    }
    const text = `${changesOf(waitingCount)} waiting`;
    return { is: 'waiting', text, brief: `${waitingCount} waiting` };
  }
  if (reach === 'offline') return { is: 'offline', text: 'Offline', brief: '' };
  if (reach === 'unreachable') return { is: 'offline', text: 'Server not reachable', brief: '' };
  if (pulledAt === null) return { is: 'saved', text: 'Connecting', brief: '' };
  return { is: 'saved', text: `All saved at ${formatMoment(pulledAt, 'time')}`, brief: '' };
}

export function changesOf(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`;
}
