import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** Asked before something typed is lost. */
export function DiscardQuestion({ leave, stay }: { leave: () => void; stay: () => void }) {
  return (
    <Dialog
      title="Discard changes?"
      description="What you typed has not been saved."
      onClose={stay}
    >
      <Button look="quiet" onClick={stay}>
        Keep editing
      </Button>
      <Button look="danger" onClick={leave}>
        Discard
      </Button>
    </Dialog>
  );
}
