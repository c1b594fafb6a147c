/** Registers the service worker of a build, where the browser and the address allow one. After the page is up. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  whenLoaded()
    .then(() => import('./follow-updates.ts'))
    .then(({ followUpdates }) => followUpdates(offerUpdate))
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
