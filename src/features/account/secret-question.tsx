import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** Asked before a secret is lost that nobody copied. */
export function SecretQuestion({ leave, stay }: { leave: () => void; stay: () => void }) {
  return (
    <Dialog
      title="Close without copying?"
      description="The secret has not been copied and will not be shown again."
      onClose={stay}
    >
      <Button look="quiet" onClick={stay}>
        Back to the secret
      </Button>
      <Button look="danger" onClick={leave}>
        Close
      </Button>
    </Dialog>
  );
}
