import type { RefObject } from 'react';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { useIsMounted } from '#client/ui/use-is-mounted.ts';
import { plural } from '#domain/text.ts';
import { allEntries, isShown, photosOnly } from './history-filter.ts';
import styles from './history-tab.module.css';
import type { HistoryView } from './use-history.ts';

interface OlderEntriesProps {
  history: HistoryView;
  filter: string;
  /** Gets the focus when the button disappears. */
  panel: RefObject<HTMLElement | null>;
}

/**
 * A button that loads older entries until one of them matches the filter or the component is unmounted, and the text of
 * the last failure.
 */
export function OlderEntries({ history, filter, panel }: OlderEntriesProps) {
  const { hasOlder, failure, isLoading, loadOlder } = history;
  const isMounted = useIsMounted();

  async function showOlder(): Promise<void> {
    const moveFocus = rememberFocus();
    const isStopped = () => !isMounted();
    const { found, isLast } = await loadOlder(({ type }) => isShown(type, filter), isStopped);
    if (isStopped()) return;
    // The button disappears.
    if (isLast) moveFocus(panel.current);
    if (found > 0) announce(`${plural(found, 'older entry', 'older entries')} shown`);
    else if (isLast) announce(`No older entries${filter === allEntries ? '' : ' of this kind'}`);
  }

  return (
    <>
      {failure && (
        <Banner look="error">
          <p>{failure}</p>
        </Banner>
      )}
      {hasOlder && filter !== photosOnly && (
        <Button
          look="quiet"
          className={styles.older}
          busyText={isLoading ? 'Loading...' : null}
          onClick={() => void showOlder()}
        >
          Show older
        </Button>
      )}
    </>
  );
}
