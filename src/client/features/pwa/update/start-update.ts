/** Lets the waiting version take over, unless another tab has done so; the page reloads into it. */
export async function startUpdate(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return window.location.reload();
  serviceWorker.addEventListener('controllerchange', () => window.location.reload());
  registration.waiting.postMessage({ type: 'SKIP_WAITING' });
}
