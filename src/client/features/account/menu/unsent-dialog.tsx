import { signOut } from '#client/session/account.ts';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { plural } from '#domain/text.ts';

/** Asks before signing out discards changes that were not sent. */
export function UnsentDialog({ count, onStay }: { count: number; onStay: () => void }) {
  return (
    <ConfirmDiscard
      title="Changes not sent yet"
      description={`${plural(count, 'change has', 'changes have')} not reached the server. Signing out removes everything of this account from this device.`}
      keep={['Stay signed in', onStay]}
      discard={['Discard and sign out', () => void signOut()]}
    />
  );
}
