// Set-up of every component test: the app's own styles, and a page without components, localStorage, sessionStorage,
// announcements and spies of earlier tests.
import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { afterEach, beforeEach, vi } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

// vitest-browser-react does this by itself only in the first file of a page.
beforeEach(() => cleanup());

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
  announce('');
});
