import { CircleUserRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useAccount, useDb } from '#client/session/current.tsx';
import { signOut } from '#client/session/sign-out.ts';
import { Button } from '#client/ui/form/button.tsx';
import { closePopover, Popover } from '#client/ui/overlay/popover.tsx';
import { unsentAfterFlush } from './unsent-changes.ts';
import styles from './user-menu.module.css';

// Rarely seen, and a dialog's code is a tenth of the screen's.
const UnsentDialog = lazy(async () => ({
  default: (await import('./unsent-dialog.tsx')).UnsentDialog,
}));

export function UserMenu({ onDevices }: { onDevices: () => void }) {
  const { username, email } = useAccount();
  const { isLeaving, unsent, leave, stay } = useLeaving();
  return (
    <>
      <Popover label="User menu" icon={<CircleUserRound aria-hidden />}>
        <p className={styles.name} dir="auto">
          {username}
        </p>
        <p className={styles.email}>{email}</p>
        <div className={styles.actions}>
          <Button
            look="quiet"
            onClick={() => {
              closePopover();
              onDevices();
            }}
          >
            Devices
          </Button>
          <Button look="quiet" onClick={leave} busyText={isLeaving ? 'Signing out...' : null}>
            Sign Out
          </Button>
        </div>
      </Popover>
      {unsent > 0 && (
        <Suspense>
          <UnsentDialog count={unsent} onStay={stay} />
        </Suspense>
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
      if (left === 0) return signOut();
      closePopover();
      setUnsent(left);
    },
  };
}
