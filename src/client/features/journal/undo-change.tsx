import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { watchPlant } from '#client/store/plants.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { useHasPassed } from '#client/ui/use-now.ts';
import { clearLastChange, type LastChange, offeredMs, useLastChange } from './change-entries.ts';

/**
 * Offers to undo the last change of a journal, for ten seconds or until the plant is deleted. `onUndo` is called before
 * the offer disappears.
 */
export function UndoChange({ onUndo }: { onUndo?: () => void }) {
  const change = useLastChange(useDb());
  return change && <Offer key={change.until} change={change} onUndo={onUndo} />;
}

function Offer({ change, onUndo }: { change: LastChange; onUndo: (() => void) | undefined }) {
  const isTooLate = useHasPassed(change.until);
  // After the clock was set back, the notice would stay for as long as the clock was ahead.
  const isTooFarAhead = change.until > Date.now() + offeredMs;
  const { db, plantKey } = change;
  const isDeleted = useObservable(() => watchPlant(db, plantKey), [db, plantKey]) === null;
  if (isTooLate || isTooFarAhead || isDeleted) return null;

  async function undo(): Promise<void> {
    onUndo?.();
    clearLastChange();
    try {
      await change.undo();
      announce(`${change.text}: undone`);
    } catch (error) {
      // The storage problem has a notice of its own.
      console.warn('Failed to undo a change', error);
    }
  }

  return (
    <Notice
      look="info"
      title={change.text}
      actions={
        <Button size="small" look="quiet" onClick={() => void undo()}>
          Undo
        </Button>
      }
    />
  );
}
