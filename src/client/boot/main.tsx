import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import { trackFormInput } from '#client/features/pwa/update/form-input.ts';
import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { restoreSession } from '#client/session/session.ts';
import { App } from './app.tsx';
import { followSession } from './follow-session.ts';
import { recoverLostParts } from './lost-parts.ts';
import { followStartScreen } from './start-screen.ts';
import { linkSync } from './sync-link.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

recoverLostParts();
trackFormInput();
captureInstallPrompt();
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
