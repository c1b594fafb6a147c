import { signOut } from '#client/session/sign-out.ts';
import { ConfirmDiscard } from '#client/ui/overlay/confirm-discard.tsx';

/** Says what signing out would lose, and lets the person decide. */
export function UnsentDialog({ count, onStay }: { count: number; onStay: () => void }) {
  return (
    <ConfirmDiscard
      title="Changes not sent yet"
      description={`${count} ${count === 1 ? 'change has' : 'changes have'} not reached the server. Signing out removes everything of this account from this device.`}
      keep={['Stay signed in', onStay]}
      discard={['Discard and sign out', () => void signOut()]}
    />
  );
}
