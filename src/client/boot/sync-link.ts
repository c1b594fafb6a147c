import {
  getSession,
  handleUnauthorized,
  type SignedIn,
  subscribeSession,
} from '#client/session/session.ts';
import { isRememberedToken } from '#client/session/stored-session.ts';
import { backgroundTagOf } from '#client/sync/background/tag.ts';
import type { FromWorker, ToWorker } from '#client/sync/engine-host.ts';

/** Passes session, visibility and network to the sync engine, and handles its messages. */
export function linkSync(): void {
  const postToEngine = startEngine((message) => {
    if (message.type === 'ops-waiting')
      void registerBackgroundSync(message.dbName).catch(() => null);
    else void handleUnauthorized(message.token);
  });
  let opened: SignedIn | null = null;
  const followSession = () => {
    const session = getSession();
    const next = session.status === 'signed-in' ? session : null;
    // The profile from the server may name another database than the stored one.
    if (next?.token === opened?.token && next?.db.name === opened?.db.name) return;
    opened = next;
    if (next) {
      const { token, db } = next;
      postToEngine({
        type: 'open',
        dbName: db.name,
        token,
        isRemembered: isRememberedToken(token),
      });
    } else postToEngine({ type: 'close' });
  };
  const followVisibility = () => {
    postToEngine({ type: 'visible', visible: document.visibilityState === 'visible' });
  };
  subscribeSession(followSession);
  document.addEventListener('visibilitychange', followVisibility);
  window.addEventListener('pageshow', followVisibility);
  window.addEventListener('online', () => postToEngine({ type: 'round' }));
  window.addEventListener('pagehide', () => postToEngine({ type: 'leave' }));
  document.addEventListener('freeze', () => postToEngine({ type: 'leave' }));
  document.addEventListener('resume', followVisibility);
  followVisibility();
  followSession();
}

/** Starts the engine in a worker, or in the page if a worker cannot be created. */
function startEngine(onMessage: (message: FromWorker) => void): (message: ToWorker) => void {
  try {
    const worker = new Worker(new URL('../sync/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => onMessage(event.data));
    return (message) => worker.postMessage(message);
  } catch {
    const engine = import('#client/sync/engine-host.ts').then(({ hostEngine }) =>
      hostEngine(onMessage),
    );
    return (message) => void engine.then((handle) => handle(message));
  }
}

/** Background Sync exists only in some browsers and is missing from TypeScript's library. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

/**
 * Registers a background sync: the service worker sends waiting ops when online, even if this page is closed. Rejects if
 * the person has denied it; then they are sent when the app is opened again.
 */
async function registerBackgroundSync(dbName: string): Promise<void> {
  const registration: SyncRegistration | undefined =
    await navigator.serviceWorker?.getRegistration();
  await registration?.sync?.register(backgroundTagOf(dbName));
}
