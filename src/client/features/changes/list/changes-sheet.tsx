import { useObservable } from 'dexie-react-hooks';
import { useRef, useState } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { type Change, watchChanges } from '#client/store/outbox/changes.ts';
import { type UploadProgress, watchUploadProgress } from '#client/store/photos/upload-progress.ts';
import type { Connectivity } from '#client/store/schema.ts';
import { syncNow } from '#client/store/sync-status.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { summaryText, useSyncSummary } from '../status/sync-indicator.tsx';
import { ConflictItem, DiscardChange, RejectedChange } from './change-items.tsx';
import { changeTime, describeChange, waitingReason } from './change-text.ts';
import styles from './changes-sheet.module.css';

/** Limits the listed waiting changes, because all of them are rendered again whenever one is sent. */
const maxShown = 50;

/** Lists the changes that are not on the server and the conflicts, with the actions for them. */
export function ChangesSheet({
  onEdit,
  onClose,
}: {
  /** Opens a plant's form. */
  onEdit: (plantKey: string) => void;
  onClose: () => void;
}) {
  const db = useDb();
  const zone = useZone();
  const now = useNow();
  const summary = useSyncSummary();
  const list = useObservable(() => watchChanges(db), [db]);
  const body = useRef<HTMLDivElement>(null);
  const [isSyncing, setSyncing] = useState(false);
  const [changeToDiscard, setChangeToDiscard] = useState<Change | null>(null);
  const { changes = [], conflicts = [] } = list ?? {};
  const rejected = changes.filter(({ state }) => state !== 'waiting');
  const waiting = changes.filter(({ state }) => state === 'waiting');
  const progress = useObservable(() => watchUploadProgress(db), [db]);
  const status = summary && summaryText(summary, zone);

  async function sync(): Promise<void> {
    setSyncing(true);
    try {
      announce(summaryText(await syncNow(db), zone).text);
    } catch (error) {
      console.warn(error);
    }
    setSyncing(false);
  }

  /** Announces the sentence. Moves the focus to the list, because the focused button disappears with its change. */
  function announceDone(sentence: string): void {
    announce(sentence);
    body.current?.focus();
  }

  return (
    <Sheet
      title="Changes"
      subtitle={status?.text ?? ''}
      fitsContent
      onOpenFocus={() => body.current?.focus()}
      onClose={onClose}
    >
      <SheetBody ref={body}>
        <div className={styles.toolbar}>
          {status?.type === 'sending' && summary && (
            <progress
              max={summary.sentCount + summary.waitingCount}
              value={summary.sentCount}
              aria-label={status.text}
            />
          )}
          {/* Not disabled, so that it keeps the focus. */}
          <Button onClick={() => void sync()} aria-busy={isSyncing}>
            {isSyncing ? 'Syncing...' : 'Sync now'}
          </Button>
        </div>
        {rejected.length > 0 && (
          <section className={styles.section} aria-labelledby="rejected-changes">
            <h3 id="rejected-changes">Up to you</h3>
            <ul>
              {rejected.map((change) => (
                <RejectedChange
                  key={change.opId}
                  change={change}
                  now={now}
                  onEdit={onEdit}
                  onDiscard={setChangeToDiscard}
                  onDone={announceDone}
                />
              ))}
            </ul>
          </section>
        )}
        {conflicts.length > 0 && (
          <section className={styles.section} aria-labelledby="overwritten">
            <h3 id="overwritten">Changed elsewhere too</h3>
            <ul>
              {conflicts.map((conflict) => (
                <ConflictItem key={conflict.id} conflict={conflict} onDone={announceDone} />
              ))}
            </ul>
          </section>
        )}
        {waiting.length > 0 && summary && (
          <section className={styles.section} aria-labelledby="waiting-changes">
            <h3 id="waiting-changes">On their way</h3>
            <ul>
              {waiting.slice(0, maxShown).map((change) => (
                <WaitingChange
                  key={change.opId}
                  change={change}
                  percent={percentSent(change, progress)}
                  now={now}
                  connectivity={summary.connectivity}
                />
              ))}
            </ul>
            {waiting.length > maxShown && (
              <p className={styles.more}>
                {`and ${waiting.length - maxShown} more, waiting behind them`}
              </p>
            )}
          </section>
        )}
        {list && changes.length + conflicts.length === 0 && (
          <p className={styles.empty}>The server has everything that you did here.</p>
        )}
      </SheetBody>
      {changeToDiscard && (
        <DiscardChange
          change={changeToDiscard}
          onClose={() => setChangeToDiscard(null)}
          onDiscarded={() => announceDone(`${describeChange(changeToDiscard)}: discarded`)}
        />
      )}
    </Sheet>
  );
}

/** How much of the photo has been sent; null unless it is being uploaded. */
function percentSent(change: Change, progress: UploadProgress | null | undefined): number | null {
  const isRunning = change.waitsFor === 'response' && progress?.opId === change.opId;
  return isRunning ? Math.round(progress.share * 100) : null;
}

/** A change that waits. `percent`: how much of its photo has been sent; null if it is not being uploaded. */
function WaitingChange({
  change,
  percent,
  now,
  connectivity,
}: {
  change: Change;
  percent: number | null;
  now: number;
  connectivity: Connectivity;
}) {
  const zone = useZone();
  const title = describeChange(change);
  const reason = waitingReason(change, connectivity, percent);
  return (
    <li className={styles.item}>
      <p className={styles.title}>{title}</p>
      <p className={styles.status}>{`${changeTime(change, now, zone)}, ${reason}`}</p>
      {percent !== null && (
        <progress max={100} value={percent} aria-label={`${title}: ${percent} % sent`} />
      )}
    </li>
  );
}
