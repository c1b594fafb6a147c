import { createFileRoute, Link, Outlet, redirect } from '@tanstack/react-router';
import { NotificationBell } from '#features/account/notification-bell.tsx';
import { UserMenu } from '#features/account/user-menu.tsx';
import { HomeScreen } from '#features/install/home-screen.tsx';
import { InsecureLine } from '#features/install/insecure-line.tsx';
import { ClockLine } from '#features/sync-status/clock-line.tsx';
import { StaleLine } from '#features/sync-status/stale-line.tsx';
import { SyncIndicator } from '#features/sync-status/sync-indicator.tsx';
import { getSession } from '#session/session.ts';
import { Frame } from '#ui/frame.tsx';
import logo from '#ui/logo.svg';
import { Changes } from './-changes.tsx';
import { dashboardSearch } from './-dashboard-search.ts';
import { Devices } from './-devices.tsx';
import { useOverScreen } from './-over-screen.ts';
import { PlantDialog } from './-plant-dialog.tsx';
import { PlantForm } from './-plant-form.tsx';
import { Sidebar } from './-sidebar.tsx';
import styles from './dashboard.module.css';

export const Route = createFileRoute('/dashboard')({
  validateSearch: dashboardSearch,
  beforeLoad: ({ location }) => {
    if (getSession().status !== 'signed-in') {
      throw redirect({ to: '/signin', search: { from: location.href } });
    }
  },
  component: Dashboard,
});

function Dashboard() {
  const { open } = useOverScreen();
  return (
    <Frame
      logo={
        <Link to="/landing" className={styles.logo}>
          <img src={logo} alt="" width="28" height="28" /> <span>Sprig</span>
        </Link>
      }
      tools={
        <>
          <SyncIndicator onOpen={() => open({ changes: 1 })} />
          <NotificationBell />
          <UserMenu onDevices={() => open({ devices: 1 })} />
        </>
      }
      navigation={<Sidebar />}
    >
      <InsecureLine />
      <StaleLine />
      <ClockLine />
      <Outlet />
      <PlantDialog />
      <PlantForm />
      <Devices />
      <HomeScreen />
      <Changes />
    </Frame>
  );
}
