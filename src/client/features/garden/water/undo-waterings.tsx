import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { canUndo } from '#client/store/outbox/op.ts';
import { undoWaterings, watchUndoableWaterings } from '#client/store/outbox/waterings.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { useHasPassed } from '#client/ui/use-now.ts';
import { plural } from '#domain/text.ts';

/** Offers in every tab to undo the watering of many plants, as long as this is possible. */
export function UndoWaterings() {
  const db = useDb();
  const waterings = useObservable(() => watchUndoableWaterings(db), [db], []);
  // Offline, waterings stay in the outbox after their time to undo is over.
  const undoable = waterings.filter((op) => canUndo(op, Date.now()));
  useHasPassed(undoable[0]?.undoUntil ?? 0);
  if (undoable.length === 0) return null;

  async function undo(): Promise<void> {
    try {
      const count = await undoWaterings(db, Date.now());
      announce(count > 0 ? `Watering of ${plural(count, 'plant')} undone` : 'Too late to undo');
    } catch (error) {
      console.warn('Failed to undo the waterings', error);
    }
  }

  return (
    <Notice
      look="info"
      title={`${plural(undoable.length, 'plant')} watered`}
      actions={
        <Button size="small" look="quiet" onClick={() => void undo()}>
          Undo
        </Button>
      }
    />
  );
}
