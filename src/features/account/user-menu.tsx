import { CircleUserRound } from 'lucide-react';
import { useState } from 'react';
import { useAccount, useDb } from '#session/current.tsx';
import { signOut } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Popover } from '#ui/popover.tsx';
import { unsentAfterFlush } from './unsent-changes.ts';
import styles from './user-menu.module.css';

export function UserMenu() {
  const { username, email } = useAccount();
  const { isLeaving, unsent, leave, stay } = useLeaving();
  return (
    <>
      <Popover label="User menu" icon={<CircleUserRound aria-hidden />}>
        <p className={styles.name}>{username}</p>
        <p className={styles.email}>{email}</p>
        <Button look="quiet" onClick={leave} busyText={isLeaving ? 'Signing out...' : null}>
          Sign Out
        </Button>
      </Popover>
      {unsent > 0 && (
        <Dialog
          title="Changes not sent yet"
          description={`${unsent} ${unsent === 1 ? 'change has' : 'changes have'} not reached the server. Signing out removes everything of this account from this device.`}
          onClose={stay}
        >
          <Button look="quiet" onClick={stay}>
            Stay signed in
          </Button>
          <Button look="danger" onClick={() => void signOut()}>
            Discard and sign out
          </Button>
        </Dialog>
      )}
    </>
  );
}

/** Signs out when everything was sent; else says how many changes would be lost and lets the person decide. */
function useLeaving() {
  const db = useDb();
  const [isLeaving, setLeaving] = useState(false);
  const [unsent, setUnsent] = useState(0);
  return {
    isLeaving,
    unsent,
    stay: () => setUnsent(0),
    leave: async () => {
      setLeaving(true);
      const left = await unsentAfterFlush(db);
      setLeaving(false);
      if (left === 0) await signOut();
      else setUnsent(left);
    },
  };
}
