declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
  interface Navigator {
    /** Only browsers of iOS have it: whether the page was opened from the home screen. */
    readonly standalone?: boolean;
  }
}

/** The browser's readiness to install the app. Not in any standard yet, and not in TypeScript's library. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offer: InstallOffer | null = null;

/** Keeps the browser from asking at once, and its offer for a better moment. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event;
  });
  window.addEventListener('appinstalled', () => {
    offer = null;
  });
}

/** 'by hand' where the person alone can do it, as on an iPhone; null where nobody can, or it is done. */
export function installOffer(): InstallOffer | 'by hand' | null {
  return offer ?? (navigator.standalone === false ? 'by hand' : null);
}
