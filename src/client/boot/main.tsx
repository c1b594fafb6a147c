import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import { trackFormInput } from '#client/features/pwa/update/form-input.ts';
import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { getSession, restoreSession, subscribeSession } from '#client/session/session.ts';
import { App } from './app.tsx';
import { followSession } from './follow-session.ts';
import { recoverLostParts } from './lost-parts.ts';
import { linkSync } from './sync-link.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

/** This script's address changes with every build of the app. */
const build = import.meta.url;

recoverLostParts();
trackFormInput();
captureInstallPrompt();
followSession();
restoreSession(build);
linkSync();
registerServiceWorker();
keepGardenOnceSignedIn();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

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
