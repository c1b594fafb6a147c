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
    else if (message.type === 'unauthorized') void handleUnauthorized(message.token);
  });
  let opened: SignedIn | null = null;
  const followSession = () => {
    const session = getSession();
    const next = session.status === 'signed-in' ? session : null;
    // Compares the database too, because the server's profile may name another one than the stored profile.
    if (next?.token === opened?.token && next?.db === opened?.db) return;
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

type Post = (message: ToWorker) => void;
type OnMessage = (message: FromWorker) => void;

/** Starts the engine in a worker, or in the page if no worker can be started. */
function startEngine(onMessage: OnMessage): Post {
  try {
    const worker = new Worker(new URL('../sync/worker.ts', import.meta.url), { type: 'module' });
    return postToWorker(worker, onMessage);
  } catch {
    return startEngineInPage(onMessage);
  }
}

/** An error before the worker's first message means that its script could not be loaded or does not run here. */
function postToWorker(worker: Worker, onMessage: OnMessage): Post {
  /** What was posted so far; null once it is known whether the worker runs. */
  let unconfirmed: ToWorker[] | null = [];
  let post: Post = (message) => worker.postMessage(message);
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    unconfirmed = null;
    onMessage(data);
  });
  worker.addEventListener('error', () => {
    if (!unconfirmed) return;
    worker.terminate();
    post = startEngineInPage(onMessage);
    unconfirmed.forEach(post);
    unconfirmed = null;
  });
  return (message) => {
    unconfirmed?.push(message);
    post(message);
  };
}

function startEngineInPage(onMessage: OnMessage): Post {
  const engine = import('#client/sync/engine-host.ts').then(({ hostEngine }) =>
    hostEngine(onMessage),
  );
  return (message) => void engine.then((handle) => handle(message));
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
