import { Bell } from 'lucide-react';
import { Popover } from '#ui/popover.tsx';
import styles from './notification-bell.module.css';

export function NotificationBell() {
  return (
    <Popover
      label="Notifications"
      icon={
        <>
          <Bell aria-hidden />
          <span className={styles.dot} />
        </>
      }
    >
      <p className={styles.title}>Notifications</p>
      <p>Real-time plant notifications will come in the next update.</p>
    </Popover>
  );
}
