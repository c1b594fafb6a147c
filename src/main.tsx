import '#ui/tokens.css';
import '#ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { registerServiceWorker } from '#features/app-update/service-worker.ts';
import { restoreSession, subscribeSession } from '#session/session.ts';
import { App } from '#start/app.tsx';
import { router } from '#start/router.tsx';
import { linkSync } from '#start/sync-link.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

subscribeSession(() => void router.invalidate());
void restoreSession();
linkSync();
registerServiceWorker();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
