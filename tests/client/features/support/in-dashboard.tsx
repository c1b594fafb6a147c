import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { openSession } from '#client/session/session.ts';

const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/dashboard'] }),
});
await openSession('a.b.c', { username: 'Rosa', email: 'rosa@garden.org', is_verified: true });

/**
 * Wraps an element in a router that has only a root route and the URL /dashboard. Importing this file opens a session.
 */
export function inDashboard(element: ReactElement): ReactElement {
  return <RouterContextProvider router={router}>{element}</RouterContextProvider>;
}
