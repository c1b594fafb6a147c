declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPromptEvent;
  }
  interface Navigator {
    /** Only in iOS browsers: whether the page was opened from the home screen. */
    readonly standalone?: boolean;
  }
}

/** The browser's install prompt. Not in a standard yet, and missing from TypeScript's library. */
export interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let captured: InstallPromptEvent | null = null;

/** Prevents the browser from showing its prompt at once, and stores it for later. */
export function captureInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    captured = event;
  });
  window.addEventListener('appinstalled', () => {
    captured = null;
  });
}

/**
 * How the app can be installed now: with the captured prompt, or 'manual' in iOS browsers, which have no prompt. Null
 * if the page was opened from the iOS home screen, or if a browser outside iOS has not offered to install the app.
 */
export function installPrompt(): InstallPromptEvent | 'manual' | null {
  return captured ?? (navigator.standalone === false ? 'manual' : null);
}
