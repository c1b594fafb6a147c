import { createFileRoute, Link, Outlet, redirect } from '@tanstack/react-router';
import { CalendarDays, LayoutDashboard, Sprout } from 'lucide-react';
import { NotificationBell } from '#features/account/notification-bell.tsx';
import { UserMenu } from '#features/account/user-menu.tsx';
import { InsecureLine } from '#features/install/insecure-line.tsx';
import { StaleLine } from '#features/sync-status/stale-line.tsx';
import { SyncIndicator } from '#features/sync-status/sync-indicator.tsx';
import { getSession } from '#session/session.ts';
import { Frame } from '#ui/frame.tsx';
import logo from '#ui/logo.svg';
import { PlantForm } from './-plant-form.tsx';
import { plantFormSearch } from './-plant-form-search.ts';
import styles from './dashboard.module.css';

export const Route = createFileRoute('/dashboard')({
  validateSearch: (search) => ({ ...plantFormSearch(search) }),
  beforeLoad: ({ location }) => {
    if (getSession().status !== 'signed-in') {
      throw redirect({ to: '/signin', search: { from: location.href } });
    }
  },
  component: Dashboard,
});

const screens = [
  { to: '/dashboard', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/dashboard/plants', name: 'My Plants', Icon: Sprout },
  { to: '/dashboard/schedule', name: 'Watering Schedule', Icon: CalendarDays },
] as const;

function Dashboard() {
  return (
    <Frame
      logo={
        <Link to="/dashboard" className={styles.logo}>
          <img src={logo} alt="" width="28" height="28" /> Sprig
        </Link>
      }
      tools={
        <>
          <SyncIndicator />
          <NotificationBell />
          <UserMenu />
        </>
      }
      navigation={
        <ul className={styles.screens}>
          {screens.map(({ to, name, Icon }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: true }}>
                <Icon aria-hidden size={20} /> {name}
              </Link>
            </li>
          ))}
        </ul>
      }
    >
      <InsecureLine />
      <StaleLine />
      <Outlet />
      <PlantForm />
    </Frame>
  );
}
