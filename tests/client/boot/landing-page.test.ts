import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let browserWindow: EventTarget & { location: { pathname: string } };
/** The URLs that replaced the page, or the one in its address bar. */
let replacedBy: string[];
let token: string | null;
beforeEach(() => {
  vi.resetModules();
  replacedBy = [];
  token = null;
  const replace = (url: string) => void replacedBy.push(url);
  const storage = { getItem: () => token, removeItem: () => undefined };
  browserWindow = Object.assign(new EventTarget(), {
    location: { pathname: '/landing', replace },
    history: { replaceState: (_state: null, _title: string, url: string) => replace(url) },
    localStorage: storage,
    sessionStorage: storage,
  });
  vi.stubGlobal('window', browserWindow);
});
afterEach(() => vi.unstubAllGlobals());

test.each(['/', '/landing'])('at %s a signed-in person gets the dashboard', async (path) => {
  token = 'a.b.c';
  browserWindow.location.pathname = path;
  await import('#client/boot/landing-page.ts');
  expect(replacedBy).toEqual(['/dashboard']);
});

test.each([
  ['/', ['/landing']],
  ['/landing', []],
])('for a visitor the URL of the landing page is /landing, also at %s', async (path, expected) => {
  browserWindow.location.pathname = path;
  await import('#client/boot/landing-page.ts');
  expect(replacedBy).toEqual(expected);
});

test('a person who goes back to the landing page after signing in gets the dashboard', async () => {
  await import('#client/boot/landing-page.ts');
  token = 'a.b.c';
  const show = (persisted: boolean) =>
    browserWindow.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  show(false);
  expect(replacedBy).toEqual([]);
  show(true);
  expect(replacedBy).toEqual(['/dashboard']);
});
