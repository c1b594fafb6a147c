import { countOf } from '#lib/count-of.ts';
import { signOut } from '#session/sign-out.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** Says what signing out would lose, and lets the person decide. */
export function UnsentDialog({ count, onStay }: { count: number; onStay: () => void }) {
  return (
    <Dialog
      title="Changes not sent yet"
      description={`${countOf(count, 'change')} ${count === 1 ? 'has' : 'have'} not reached the server. Signing out removes everything of this account from this device.`}
      onClose={onStay}
    >
      <Button look="quiet" onClick={onStay}>
        Stay signed in
      </Button>
      <Button look="danger" onClick={() => void signOut()}>
        Discard and sign out
      </Button>
    </Dialog>
  );
}
