import { useRef, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Change } from '#client/store/outbox/changes.ts';
import { requestSync } from '#client/store/sync-status.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { summaryWords } from '../status/summary-words.ts';
import { useSyncSummary } from '../status/use-sync-summary.ts';
import { deed, deedMoment, waitingReason } from './change-words.ts';
import styles from './changes-sheet.module.css';
import { ConflictItem } from './conflict-item.tsx';
import { DiscardChange } from './discard-change.tsx';
import { HeldChange } from './held-change.tsx';
import { useChanges } from './use-changes.ts';

/** More than that nobody reads, and each repaints whenever one of them goes. */
const mostShown = 50;

/** Every change that is not on the server, in plain words, and what can be done about it. */
export function ChangesSheet({
  onEdit,
  onClose,
}: {
  /** Opens the form of a plant. */
  onEdit: (plantKey: string) => void;
  onClose: () => void;
}) {
  const db = useDb();
  const now = useNow();
  const summary = useSyncSummary();
  const list = useChanges();
  const body = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<Change | null>(null);
  const { changes = [], conflicts = [] } = list ?? {};
  const held = changes.filter(({ state }) => state !== 'waiting');
  const waiting = changes.filter(({ state }) => state === 'waiting');
  const words = summary && summaryWords(summary);

  /** The button that had the focus goes with what it was about. */
  function decided(sentence: string): void {
    announce(sentence);
    body.current?.focus();
  }

  return (
    <Sheet
      title="Changes"
      subtitle={words?.text ?? ''}
      fitsContent
      onOpenFocus={() => body.current?.focus()}
      onClose={onClose}
    >
      <SheetBody ref={body}>
        <div className={styles.now}>
          {words?.is === 'sending' && summary && (
            <progress
              max={summary.sentCount + summary.waitingCount}
              value={summary.sentCount}
              aria-label={words.text}
            />
          )}
          <Button onClick={() => void requestSync(db)}>Sync now</Button>
        </div>
        {held.length > 0 && (
          <section className={styles.section} aria-labelledby="held-changes">
            <h3 id="held-changes">Up to you</h3>
            <ul>
              {held.map((change) => (
                <HeldChange
                  key={change.opId}
                  change={change}
                  now={now}
                  onEdit={onEdit}
                  onDiscard={setDoomed}
                  onDecided={decided}
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
                <ConflictItem key={conflict.id} conflict={conflict} onDecided={decided} />
              ))}
            </ul>
          </section>
        )}
        {waiting.length > 0 && summary && (
          <section className={styles.section} aria-labelledby="waiting-changes">
            <h3 id="waiting-changes">On their way</h3>
            <ul>
              {waiting.slice(0, mostShown).map((change) => (
                <li key={change.opId} className={styles.item}>
                  <p className={styles.deed}>{deed(change)}</p>
                  <p className={styles.standing}>
                    {deedMoment(change, now)}, {waitingReason(change, summary.reach)}
                  </p>
                </li>
              ))}
            </ul>
            {waiting.length > mostShown && (
              <p className={styles.more}>
                and {waiting.length - mostShown} more, waiting behind them
              </p>
            )}
          </section>
        )}
        {list && changes.length + conflicts.length === 0 && (
          <p className={styles.nothing}>The server has everything that you did here.</p>
        )}
      </SheetBody>
      {doomed && (
        <DiscardChange
          change={doomed}
          onStay={() => setDoomed(null)}
          onDiscarded={() => {
            setDoomed(null);
            decided(`${deed(doomed)}: discarded`);
          }}
        />
      )}
    </Sheet>
  );
}
