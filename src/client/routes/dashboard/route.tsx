import { createFileRoute, Link, Outlet, redirect } from '@tanstack/react-router';
import { Devices } from '#client/features/account/devices/devices.tsx';
import { NotificationBell } from '#client/features/account/menu/notification-bell.tsx';
import { UserMenu } from '#client/features/account/menu/user-menu.tsx';
import { Changes } from '#client/features/changes/list/changes.tsx';
import { ClockLine } from '#client/features/changes/status/clock-line.tsx';
import { StaleLine } from '#client/features/changes/status/stale-line.tsx';
import { SyncIndicator } from '#client/features/changes/status/sync-indicator.tsx';
import { dashboardSearch } from '#client/features/dashboard/dashboard-search.ts';
import { Sidebar } from '#client/features/dashboard/sidebar.tsx';
import { useOverlay } from '#client/features/dashboard/use-overlay.ts';
import { PlantOverlays } from '#client/features/garden/plant-overlays.tsx';
import { HomeScreen } from '#client/features/pwa/install/home-screen.tsx';
import { InsecureNotice } from '#client/features/pwa/install/insecure-notice.tsx';
import { getSession } from '#client/session/session.ts';
import { Frame } from '#client/ui/layout/frame.tsx';
import logo from '#client/ui/logo.svg';
import styles from './-dashboard.module.css';

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
  const { open } = useOverlay();
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
      <InsecureNotice />
      <StaleLine />
      <ClockLine />
      <Outlet />
      <PlantOverlays />
      <Devices />
      <HomeScreen />
      <Changes />
    </Frame>
  );
}
