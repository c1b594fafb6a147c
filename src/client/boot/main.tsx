/*
 * How a page starts:
 * 1. Listeners for events that come once, such as the browser's install prompt.
 * 2. The session of an earlier visit and the garden kept beside it are read from storage. Only a session without a
 *    profile waits for the server.
 * 3. The router loads the code of the screen that the address names. index.html has the dashboard's preloaded.
 * 4. React renders the screen once it is complete: the dashboard with its kept cards, while the database opens. On the
 *    prerendered signin.html it hydrates the prerendered form and keeps its input.
 * 5. The rest, which nobody sees, comes after the first frame: sync, service worker, keeping the garden.
 */
import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import { trackFormInput } from '#client/features/pwa/update/form-input.ts';
import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { getSession, restoreSession, subscribeSession } from '#client/session/session.ts';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { App } from './app.tsx';
import { followSession } from './follow-session.ts';
import { recoverLostParts } from './lost-parts.ts';
import { type AppRouter, createAppRouter } from './router.tsx';
import { linkSync } from './sync-link.ts';

/** This script's address changes with every build of the app. */
const build = import.meta.url;
/** A start that takes longer says so. */
const spinnerAfterMs = 400;

recoverLostParts();
trackFormInput();
captureInstallPrompt();
void start();

async function start(): Promise<void> {
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no root');
  const router = createAppRouter();
  if (container.firstElementChild) {
    await prepare(router);
    if (isPrerendered(router)) {
      // Without Suspense boundaries around the screens, as the build rendered them.
      router.ssr = { manifest: undefined };
      hydrateRoot(container, app(router));
    } else createRoot(container).render(app(router));
  } else {
    const root = createRoot(container);
    const spinner = <Spinner label="Loading..." />;
    const timer = setTimeout(() => root.render(spinner), spinnerAfterMs);
    await prepare(router);
    clearTimeout(timer);
    root.render(app(router));
  }
}

function app(router: AppRouter) {
  return <App router={router} onShown={startBackgroundWork} />;
}

async function prepare(router: AppRouter): Promise<void> {
  await restoreSession(build);
  followSession(router);
  await router.load();
}

/** Whether the prerendered markup matches the screen, so that React can hydrate it: sign-in without any notice. */
function isPrerendered(router: AppRouter): boolean {
  const session = getSession();
  const isVisitor = session.status === 'signed-out' && session.notice === null;
  return isVisitor && router.state.location.pathname === '/signin';
}

function startBackgroundWork(): void {
  linkSync();
  registerServiceWorker();
  keepGardenOnceSignedIn();
}

/** Its code needs the database's, which a visitor does not load. Without it the next start is a little slower. */
function keepGardenOnceSignedIn(): void {
  let isKept = false;
  const follow = () => {
    if (isKept || getSession().status !== 'signed-in') return;
    isKept = true;
    import('#client/session/keep-garden.ts').then(
      ({ keepGardens }) => keepGardens(build),
      () => undefined,
    );
  };
  follow();
  subscribeSession(follow);
}
