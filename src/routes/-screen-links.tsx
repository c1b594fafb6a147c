import { Link } from '@tanstack/react-router';
import { CalendarDays, LayoutDashboard, Sprout } from 'lucide-react';
import styles from './dashboard.module.css';

const screens = [
  { to: '/dashboard', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/dashboard/plants', name: 'My Plants', Icon: Sprout },
  { to: '/dashboard/schedule', name: 'Watering Schedule', Icon: CalendarDays },
] as const;

export function ScreenLinks() {
  return (
    <ul className={styles.screens}>
      {screens.map(({ to, name, Icon }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: true, includeSearch: false }}>
            <Icon aria-hidden size={20} /> {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
