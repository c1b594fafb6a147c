import { createRootRoute, Navigate, Outlet } from '@tanstack/react-router';
import { LiveRegion } from '#client/ui/feedback/screen-reader.tsx';

export const Route = createRootRoute({
  component: Root,
  notFoundComponent: () => <Navigate to="/" replace />,
});

function Root() {
  return (
    <>
      <Outlet />
      <LiveRegion />
    </>
  );
}
