import type { Change } from '#data/changes.ts';
import { discardOp } from '#data/decisions.ts';
import { countOf } from '#lib/count-of.ts';
import { useDb } from '#session/current.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { deed } from './change-words.ts';

/** Says what would be lost before it is. */
export function DiscardChange({
  change,
  onStay,
  onDiscarded,
}: {
  change: Change;
  onStay: () => void;
  onDiscarded: () => void;
}) {
  const db = useDb();
  const { opId, nickname, dependents } = change;
  const alone = `“${deed(change)}” has not reached the server and will be lost.`;
  const withOthers = `${nickname} has not reached the server. It will be lost, with ${countOf(dependents, 'change')} that came after.`;
  return (
    <Dialog
      title="Discard this change?"
      description={dependents > 0 ? withOthers : alone}
      onClose={onStay}
    >
      <Button look="quiet" onClick={onStay}>
        Keep it
      </Button>
      <Button
        look="danger"
        onClick={() => {
          discardOp(db, opId)
            .then(onDiscarded)
            .catch((error: unknown) => console.warn(error));
        }}
      >
        Discard
      </Button>
    </Dialog>
  );
}
