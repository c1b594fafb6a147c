import { useDb } from '#client/session/current.tsx';
import type { Change } from '#client/store/outbox/changes.ts';
import { discardOp } from '#client/store/outbox/decisions.ts';
import { ConfirmDiscard } from '#client/ui/overlay/confirm-discard.tsx';
import { plural } from '#domain/text.ts';
import { afterWrite } from './change-action.tsx';
import { describeChange } from './change-text.ts';

/** Says what discarding a change would lose, and asks. */
export function DiscardChange({
  change,
  onKeep,
  onDiscarded,
}: {
  change: Change;
  onKeep: () => void;
  onDiscarded: () => void;
}) {
  const db = useDb();
  const { opId, nickname, dependents } = change;
  const alone = `“${describeChange(change)}” has not reached the server and will be lost.`;
  const withDependents = `${nickname} has not reached the server. It will be lost, with ${plural(dependents, 'change')} that came after.`;
  return (
    <ConfirmDiscard
      title="Discard this change?"
      description={dependents > 0 ? withDependents : alone}
      keep={['Keep it', onKeep]}
      discard={['Discard', () => afterWrite(discardOp(db, opId), onDiscarded)]}
    />
  );
}
