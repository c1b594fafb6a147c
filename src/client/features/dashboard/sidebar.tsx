import { Link } from '@tanstack/react-router';
import {
  Bell,
  BookOpen,
  CalendarDays,
  ChartLine,
  LayoutDashboard,
  type LucideIcon,
  Sprout,
} from 'lucide-react';
import styles from './sidebar.module.css';

const screens: readonly (readonly [to: string, name: string, Icon: LucideIcon])[] = [
  ['/dashboard', 'Dashboard', LayoutDashboard],
  ['/dashboard/plants', 'My Plants', Sprout],
  ['/dashboard/schedule', 'Watering Schedule', CalendarDays],
  ['/dashboard/analytics', 'AI Analytics', ChartLine],
  ['/dashboard/notifications', 'Notifications', Bell],
  ['/dashboard/articles', 'Articles', BookOpen],
];

export function Sidebar() {
  return (
    <>
      <ul className={styles.screens}>
        {screens.map(([to, name, Icon]) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/dashboard', includeSearch: false }}>
              <Icon aria-hidden size={20} /> {name}
            </Link>
          </li>
        ))}
      </ul>
      <aside className={styles.help} aria-labelledby="sidebar-help">
        <h2 id="sidebar-help">Need help?</h2>
        <p>Our articles tell how to keep your plants well.</p>
        <Link to="/dashboard/articles">Read Articles</Link>
      </aside>
    </>
  );
}
