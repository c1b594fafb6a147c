import { createFileRoute, Link, Outlet, redirect } from '@tanstack/react-router';
import { NotificationBell, UserMenu } from '#client/features/account/menu/header-menus.tsx';
import {
  ClockLine,
  InsecureLine,
  LastUpdatedLine,
} from '#client/features/changes/status/status-lines.tsx';
import { SyncIndicator } from '#client/features/changes/status/sync-indicator.tsx';
import { dashboardSearch } from '#client/features/dashboard/dashboard-search.ts';
import { Devices, NoticesAndChanges, PlantOverlays } from '#client/features/dashboard/overlays.tsx';
import { Sidebar } from '#client/features/dashboard/sidebar.tsx';
import { useOverlay } from '#client/features/dashboard/use-overlay.ts';
import { DueBadge } from '#client/features/pwa/due-badge.ts';
import { InvitationAfterChange } from '#client/features/pwa/install/invitation-after-change.tsx';
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
      <InsecureLine />
      <ClockLine />
      <Outlet />
      <LastUpdatedLine />
      <PlantOverlays />
      <Devices />
      <DueBadge />
      <InvitationAfterChange />
      <NoticesAndChanges />
    </Frame>
  );
}
