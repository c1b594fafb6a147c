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
  let engine = startEngine();
  const postToEngine: Post = (message) => engine.post(message);
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
  let isEnded = false;
  window.addEventListener('pagehide', ({ persisted }) => {
    postToEngine({ type: 'leave' });
    // WebKit suspends the worker of a page that it keeps for Back, before the worker reads the message. Its lock would
    // stay held, and no other page could send. Ending the worker releases the lock.
    if (persisted) isEnded = engine.end();
  });
  window.addEventListener('pageshow', () => {
    if (isEnded) {
      isEnded = false;
      engine = startEngine();
      opened = null;
      followSession();
    }
    followVisibility();
  });
  window.addEventListener('online', () => postToEngine({ type: 'round' }));
  document.addEventListener('freeze', () => postToEngine({ type: 'leave' }));
  document.addEventListener('resume', followVisibility);
  followVisibility();
  followSession();
}

function handleMessage(message: FromWorker): void {
  if (message.type === 'ops-waiting') {
    void registerBackgroundSync(message.dbName).catch(() => null);
  } else if (message.type === 'unauthorized') void handleUnauthorized(message.token);
}

type Post = (message: ToWorker) => void;

interface EngineLink {
  post: Post;
  /** Ends the worker at once, as a crash would. False if the engine runs in the page, which cannot be ended. */
  end: () => boolean;
}

/** Starts the engine in a worker, or in the page if no worker can be started. */
function startEngine(): EngineLink {
  try {
    const worker = new Worker(new URL('../sync/worker.ts', import.meta.url), { type: 'module' });
    return linkWorker(worker);
  } catch {
    return { post: startEngineInPage(), end: () => false };
  }
}

/** An error before the worker's first message means that its script could not be loaded or does not run here. */
function linkWorker(worker: Worker): EngineLink {
  /** What was posted so far; null once it is known whether the worker runs. */
  let unconfirmed: ToWorker[] | null = [];
  let post: Post = (message) => worker.postMessage(message);
  let isInPage = false;
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    unconfirmed = null;
    handleMessage(data);
  });
  worker.addEventListener('error', () => {
    if (!unconfirmed) return;
    worker.terminate();
    isInPage = true;
    post = startEngineInPage();
    unconfirmed.forEach(post);
    unconfirmed = null;
  });
  return {
    post: (message) => {
      unconfirmed?.push(message);
      post(message);
    },
    end: () => {
      if (!isInPage) worker.terminate();
      return !isInPage;
    },
  };
}

function startEngineInPage(): Post {
  const engine = import('#client/sync/engine-host.ts').then(({ hostEngine }) =>
    hostEngine(handleMessage),
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
