import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { readStoredSession } from '#client/session/stored-session.ts';

// All that the prerendered landing page runs; its links are plain links.

function leaveIfSignedIn(): boolean {
  const isSignedIn = readStoredSession() !== null;
  if (isSignedIn) window.location.replace('/dashboard');
  return isSignedIn;
}

if (!leaveIfSignedIn()) {
  // The server answers the bare address with this page too.
  if (window.location.pathname === '/') window.history.replaceState(null, '', '/landing');
  registerServiceWorker();
}

// Back from the sign-in form, the browser may show the page as it was left.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) leaveIfSignedIn();
});
