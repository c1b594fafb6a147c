import { getSession, refuseToken, subscribeSession } from '#client/session/session.ts';
import { isRememberedToken } from '#client/session/stored-session.ts';
import type { FromWorker, ToWorker } from '#client/sync/engine-host.ts';
import { askForBackgroundSync } from './background-sync.ts';

/** Notifies the sync engine of session, visibility and network, and the session of a refused token. */
export function linkSync(): void {
  const tell = startEngine((message) => {
    if (message.type === 'ops-waiting') void askForBackgroundSync(message.dbName);
    else void refuseToken(message.token);
  });
  let openToken: string | null = null;
  const followSession = () => {
    const session = getSession();
    const token = session.status === 'signed-in' ? session.token : null;
    if (token === openToken) return;
    openToken = token;
    if (session.status === 'signed-in') {
      const { token, db } = session;
      tell({ type: 'open', dbName: db.name, token, isRemembered: isRememberedToken(token) });
    } else tell({ type: 'close' });
  };
  const followVisibility = () => {
    tell({ type: 'visible', visible: document.visibilityState === 'visible' });
  };
  subscribeSession(followSession);
  document.addEventListener('visibilitychange', followVisibility);
  window.addEventListener('pageshow', followVisibility);
  window.addEventListener('online', () => tell({ type: 'round' }));
  window.addEventListener('pagehide', () => tell({ type: 'leave' }));
  document.addEventListener('freeze', () => tell({ type: 'leave' }));
  document.addEventListener('resume', followVisibility);
  followVisibility();
  followSession();
}

/** Starts the engine in a worker, or in the page if a worker cannot be created. */
function startEngine(hear: (message: FromWorker) => void): (message: ToWorker) => void {
  try {
    const worker = new Worker(new URL('../sync/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => hear(event.data));
    return (message) => worker.postMessage(message);
  } catch {
    const engine = import('#client/sync/engine-host.ts').then(({ hostEngine }) => hostEngine(hear));
    return (message) => void engine.then((handle) => handle(message));
  }
}
