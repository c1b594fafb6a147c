// Set-up of every component test: the page has the app's own styles, and nothing survives from one test to the next.
import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { afterEach, beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

// The library does so by itself only in the first file of a page.
beforeEach(() => cleanup());

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  announce('');
});
