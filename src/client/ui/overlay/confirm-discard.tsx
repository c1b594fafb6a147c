import { Button } from '../form/button.tsx';
import { Dialog } from './dialog.tsx';

type Answer = readonly [label: string, act: () => void];

/** Asks before something is lost; closed without an answer, it is kept. */
export function LossQuestion({
  title,
  description,
  keep: [keepLabel, keep],
  lose: [loseLabel, lose],
}: {
  title: string;
  description: string;
  keep: Answer;
  lose: Answer;
}) {
  return (
    <Dialog title={title} description={description} onClose={keep}>
      <Button look="quiet" onClick={keep}>
        {keepLabel}
      </Button>
      <Button look="danger" onClick={lose}>
        {loseLabel}
      </Button>
    </Dialog>
  );
}
