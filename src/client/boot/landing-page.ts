import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { readStoredSession } from '#client/session/stored-session.ts';

// The only script of the prerendered landing page. Without a router, the browser itself follows the links.

function leaveIfSignedIn(): boolean {
  const isSignedIn = readStoredSession() !== null;
  if (isSignedIn) window.location.replace('/dashboard');
  return isSignedIn;
}

if (!leaveIfSignedIn()) {
  // The server serves this page for / too.
  if (window.location.pathname === '/') window.history.replaceState(null, '', '/landing');
  registerServiceWorker();
}

// When the person goes back from the sign-in form, the browser may restore the page without loading it.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) leaveIfSignedIn();
});
