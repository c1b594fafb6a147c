// Set-up of every component test: the page has the app's own styles, and nothing survives from one test to the next.
import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { afterEach } from 'vitest';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  announce('');
});
