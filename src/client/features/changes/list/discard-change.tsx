import { useDb } from '#client/session/current.tsx';
import type { Change } from '#client/store/outbox/changes.ts';
import { discardOp } from '#client/store/outbox/decisions.ts';
import { ConfirmDiscard } from '#client/ui/overlay/confirm-discard.tsx';
import { changesOf } from '../status/summary-words.ts';
import { deed } from './change-words.ts';
import { decide } from './decide.ts';

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
  const withOthers = `${nickname} has not reached the server. It will be lost, with ${changesOf(dependents)} that came after.`;
  return (
    <ConfirmDiscard
      title="Discard this change?"
      description={dependents > 0 ? withOthers : alone}
      keep={['Keep it', onStay]}
      discard={['Discard', () => decide(discardOp(db, opId), onDiscarded)]}
    />
  );
}
