import {
  createMemoryHistory,
  createRouter,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router';
import { onTestFinished } from 'vitest';
import { routeTree } from '#client/routes/routeTree.gen.ts';
import {
  closeSession,
  getSession,
  openSession,
  subscribeSession,
} from '#client/session/session.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { User } from '#contract/auth.ts';
import { render } from './render.tsx';

export interface OpenApp {
  /** Path and query of the screen that is shown. */
  url: () => string;
  navigate: (url: string) => Promise<void>;
  /** As the browser's Back button. */
  goBack: () => void;
  goForward: () => void;
}

/**
 * Shows the app's screens at a URL: real routes, guards, components and Dexie, without sync worker and server. Nobody
 * is signed in unless `signInAs` was called before.
 */
export async function openApp(url: string): Promise<OpenApp> {
  if (getSession().status === 'loading') closeSession();
  const history = historyFrom(url);
  const router = createRouter({ routeTree, history });
  onTestFinished(subscribeSession(() => void router.invalidate()));
  await router.load();
  const screen = await render(<RouterProvider router={router} />);
  // Unmount before the session ends and its database is deleted, since screens behind the guard need both.
  onTestFinished(() => screen.unmount());
  return {
    url: () => router.state.location.href,
    navigate: (to) => router.navigate({ href: to }),
    goBack: () => router.history.back(),
    goForward: () => router.history.forward(),
  };
}

/** Like the browser's history, it reports that it has gone back. */
function historyFrom(url: string): RouterHistory {
  const history = createMemoryHistory({ initialEntries: [url] });
  const { back } = history;
  history.back = (options) => {
    back(options);
    window.dispatchEvent(new PopStateEvent('popstate'));
  };
  return history;
}

let accounts = 0;

/** Signs in for the running test, with an empty device database that is deleted when the test ends. */
export async function signInAs(changes: Partial<User> = {}, token = 'a.b.c'): Promise<DeviceDb> {
  // An open sidebar would cover most of the screen at a phone's width.
  window.localStorage.setItem('sprig.sidebar-open', '0');
  accounts += 1;
  const email = `gardener-${accounts}@example.org`;
  await openSession(token, { username: 'Rosa', email, is_verified: true, ...changes });
  const session = getSession();
  if (session.status !== 'signed-in') throw new Error('Not signed in');
  const { db } = session;
  onTestFinished(async () => {
    closeSession();
    // A database that is still opening, or queries of unmounted screens, would block the deletion, so wait for both.
    if (!db.hasBeenClosed()) await db.open();
    if (db.isOpen()) await db.transaction('rw', db.tables, () => db.meta.count());
    await db.delete();
  });
  return db;
}
