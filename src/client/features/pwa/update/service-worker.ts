/** Registers the service worker once the page has loaded; only in a production build and if the browser supports it. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  whenLoaded()
    .then(() => import('./app-update.ts'))
    .then(({ checkForUpdates }) => checkForUpdates(offerUpdate))
    .catch((error: Error) => console.warn('Offline start is not available:', error.message));
}

function offerUpdate(): void {
  void import('./update-prompt.tsx').then(({ showUpdatePrompt }) => showUpdatePrompt());
}

function whenLoaded(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });
}
