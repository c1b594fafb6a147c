import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { undoWaterings, watchUndoableWaterings } from '#client/store/outbox/waterings.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { useHasPassed } from '#client/ui/use-now.ts';

/** Offers to undo the watering of many plants as long as it is possible, in every tab. */
export function UndoWaterings() {
  const db = useDb();
  const undoable = useObservable(() => watchUndoableWaterings(db), [db]);
  const isTooLate = useHasPassed(undoable?.until ?? 0);
  if (!undoable || isTooLate) return null;

  async function undo(): Promise<void> {
    try {
      const count = await undoWaterings(db, Date.now());
      announce(count > 0 ? `Watering of ${count} plants undone` : 'Too late to undo');
    } catch (error) {
      console.warn('Failed to undo the waterings', error);
    }
  }

  return (
    <Notice
      look="info"
      title={`${undoable.count} plants watered`}
      actions={
        <Button size="small" look="quiet" onClick={() => void undo()}>
          Undo
        </Button>
      }
    />
  );
}
