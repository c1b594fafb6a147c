import { Link } from '@tanstack/react-router';
import { Bell, CircleUserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAccount, useDb, useKeptSession } from '#client/session/current.tsx';
import { signOut } from '#client/session/sign-out.ts';
import { untilPhotosStored } from '#client/store/photos/preparation.ts';
import { trySendOutbox } from '#client/store/sync-status.ts';
import { Button, buttonClass } from '#client/ui/form/button.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { closePopover, Popover } from '#client/ui/overlay/popover.tsx';
import styles from './header-menus.module.css';

export function NotificationBell() {
  return (
    <Popover
      label="Notifications"
      icon={
        <>
          <Bell aria-hidden />
          <span className={styles.dot} aria-hidden />
        </>
      }
    >
      <p className={styles.title}>Notifications</p>
      <p>Real-time plant notifications will come in the next update.</p>
      <Link to="/dashboard/notifications" className={styles.preview} onClick={closePopover}>
        See the preview
      </Link>
    </Popover>
  );
}

// Rarely seen, and the dialog library is large.
const UnsentDialog = lazyComponent(() => import('./unsent-dialog.tsx'), 'UnsentDialog');

export function UserMenu({ onDevices }: { onDevices: () => void }) {
  const { username, email } = useAccount();
  const { isLeaving, unsent, leave, stay } = useSignOut();
  return (
    <>
      <Popover label="User menu" icon={<CircleUserRound aria-hidden />}>
        <p className={styles.name} dir="auto">
          {username}
        </p>
        <p className={styles.email}>{email}</p>
        <div className={styles.actions}>
          <Link
            to="/dashboard/settings"
            className={buttonClass({ look: 'quiet' })}
            onClick={closePopover}
          >
            Settings
          </Link>
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
      {unsent !== 0 && (
        <Suspense>
          <UnsentDialog count={unsent} onStay={stay} />
        </Suspense>
      )}
    </>
  );
}

/**
 * Signs out once everything is sent, or asks first if changes would be lost. If the session expires meanwhile, the
 * person is asked all the same, because otherwise the account's data would stay on the device.
 */
function useSignOut() {
  const db = useDb();
  const [isStarted, setStarted] = useState(false);
  useKeptSession(isStarted);
  const [isLeaving, setLeaving] = useState(false);
  const [unsent, setUnsent] = useState<number | null>(0);
  return {
    isLeaving,
    unsent,
    stay: () => {
      setUnsent(0);
      setStarted(false);
    },
    leave: async () => {
      setStarted(true);
      setLeaving(true);
      await untilPhotosStored();
      const left = await trySendOutbox(db);
      // The button gets its focus back first, because a closing menu returns the focus only if the focus is inside it.
      flushSync(() => setLeaving(false));
      if (left === 0) return signOut();
      closePopover();
      setUnsent(left);
    },
  };
}
