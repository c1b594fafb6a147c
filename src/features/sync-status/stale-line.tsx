import { formatMoment } from '#domain/dates.ts';
import { PageLine } from '#ui/page-line.tsx';
import { useSyncSummary } from './use-sync-summary.ts';

/** Says quietly that what is shown is not of now, and of when it is. */
export function StaleLine() {
  const summary = useSyncSummary();
  if (!summary || summary.reach === 'online' || summary.reach === 'unknown') return null;
  const why = summary.reach === 'offline' ? 'Offline' : 'Server not reachable';
  return (
    <PageLine isPassing>
      {why}
      {summary.pulledAt !== null && `. Last updated ${formatMoment(summary.pulledAt, 'dateTime')}`}
    </PageLine>
  );
}
