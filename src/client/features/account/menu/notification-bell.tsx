import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { closePopover, Popover } from '#client/ui/overlay/popover.tsx';
import styles from './notification-bell.module.css';

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
