/*
 * How a page starts:
 * 1. Listeners are added for events that must not be missed, such as the browser's install prompt.
 * 2. The session of an earlier visit and the garden snapshot beside it are read from storage. Only a session without a
 *    profile waits for the server.
 * 3. The router loads the code of the screen that the URL names. index.html preloads the dashboard's.
 * 4. React renders the screen: the dashboard with the cards of the snapshot, while the database opens. On signin.html
 *    it hydrates the prerendered form and keeps its input.
 * 5. Invisible work starts after the first frame: sync, service worker, push subscription, profile, garden snapshots.
 */
import '#client/ui/tokens.css';
import '#client/ui/base.css';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import { getSession, restoreSession, subscribeSession } from '#client/session/session.ts';
import { Spinner } from '#client/ui/feedback/screen-state.tsx';
import { trackFormInput } from '#client/ui/form/form-input.ts';
import { App, type AppRouter, BrokenScreen, createAppRouter } from './app.tsx';
import { startBackgroundWork } from './background-work.ts';
import { reloadOnMissingChunk } from './missing-chunk.ts';

/** Identifies the build, since this script's URL changes with every build. */
const build = import.meta.url;
/** A start that takes longer shows a spinner. */
const spinnerAfterMs = 400;
/** The same function in every render, because App calls `onShown` again whenever it gets a different one. */
const onShown = () => startBackgroundWork(build);

reloadOnMissingChunk();
trackFormInput();
captureInstallPrompt();
void start();

async function start(): Promise<void> {
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no root');
  const router = createAppRouter();
  if (container.firstElementChild) {
    const app = await prepare(router);
    if (isPrerendered(router)) {
      // Makes the router omit its outermost Suspense boundary, which the prerendered markup does not contain.
      router.ssr = { manifest: undefined };
      hydrateRoot(container, app);
    } else createRoot(container).render(app);
  } else {
    const root = createRoot(container);
    const spinner = <Spinner label="Loading..." />;
    const timer = setTimeout(() => root.render(spinner), spinnerAfterMs);
    const app = await prepare(router);
    clearTimeout(timer);
    root.render(app);
  }
}

/** Resolves to what the page renders. */
async function prepare(router: AppRouter): Promise<ReactNode> {
  try {
    await restoreSession(build);
  } catch (error) {
    console.error('The app cannot start:', error);
    return <BrokenScreen />;
  }
  followSession(router);
  await router.load();
  return <App router={router} onShown={onShown} />;
}

/** Whether the prerendered markup matches the screen, so that React can hydrate it: sign-in without a message. */
function isPrerendered(router: AppRouter): boolean {
  const session = getSession();
  const isVisitor = session.status === 'signed-out' && session.message === null;
  return isVisitor && router.state.location.pathname === '/signin';
}

/**
 * Evaluates the routes again whenever the session changes. Signing out opens /signin without parameters, which reveals
 * nothing to the next person. When a session has expired, signing in returns to the current screen.
 */
function followSession(router: AppRouter): void {
  subscribeSession(() => {
    const session = getSession();
    const hasSignedOut = session.status === 'signed-out' && session.hasSignedOut;
    void (hasSignedOut ? router.navigate({ to: '/signin', replace: true }) : router.invalidate());
  });
}
