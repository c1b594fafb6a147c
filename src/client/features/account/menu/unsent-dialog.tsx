import { signOut } from '#client/session/sign-out.ts';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { plural } from '#domain/text.ts';

/**
 * Asks for confirmation if signing out would discard unsent changes. `count`: null if the device's data cannot be read.
 */
export function UnsentDialog({ count, onStay }: { count: number | null; onStay: () => void }) {
  const reason =
    count === null
      ? 'The data on this device cannot be read now, so some changes may not have reached the server.'
      : `${plural(count, 'change has', 'changes have')} not reached the server.`;
  return (
    <ConfirmDiscard
      title={count === null ? 'Changes may not be sent yet' : 'Changes not sent yet'}
      description={`${reason} Signing out removes everything of this account from this device.`}
      closesOnBack
      keep={['Stay signed in', onStay]}
      discard={['Discard and sign out', () => void signOut()]}
    />
  );
}
