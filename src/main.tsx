import '#ui/tokens.css';
import '#ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { registerServiceWorker } from '#features/app-update/service-worker.ts';
import { watchTyping } from '#features/app-update/typed-forms.ts';
import { keepInstallOffer } from '#features/install/install-offer.ts';
import { restoreSession } from '#session/session.ts';
import { App } from '#start/app.tsx';
import { followSession } from '#start/follow-session.ts';
import { recoverLostParts } from '#start/lost-parts.ts';
import { followStartScreen } from '#start/start-screen.ts';
import { linkSync } from '#start/sync-link.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

recoverLostParts();
watchTyping();
keepInstallOffer();
followSession();
restoreSession();
linkSync();
registerServiceWorker();
followStartScreen(root);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
