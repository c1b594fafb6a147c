import { Button } from '../form/button.tsx';
import { Dialog } from './dialog.tsx';

type Choice = readonly [label: string, onChoose: () => void];

/** Asks before something is discarded. Closing it without a choice counts as keep. */
export function ConfirmDiscard({
  title,
  description,
  keep: [keepLabel, onKeep],
  discard: [discardLabel, onDiscard],
}: {
  title: string;
  description: string;
  keep: Choice;
  discard: Choice;
}) {
  return (
    <Dialog title={title} description={description} onClose={onKeep}>
      <Button look="quiet" onClick={onKeep}>
        {keepLabel}
      </Button>
      <Button look="danger" onClick={onDiscard}>
        {discardLabel}
      </Button>
    </Dialog>
  );
}
