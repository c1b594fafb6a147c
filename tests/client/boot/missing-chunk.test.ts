import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let browserWindow: EventTarget;
let stored: string | null;
let isFilledIn: boolean;
const reload = vi.fn();
beforeEach(() => {
  vi.resetModules();
  vi.doMock('#client/ui/form/form-input.ts', () => ({ hasFormInput: () => isFilledIn }));
  isFilledIn = false;
  stored = null;
  reload.mockClear();
  const sessionStorage = {
    getItem: () => stored,
    setItem: (_: string, value: string) => {
      stored = value;
    },
  };
  browserWindow = Object.assign(new EventTarget(), { sessionStorage, location: { reload } });
  vi.stubGlobal('window', browserWindow);
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
});
afterEach(() => {
  vi.doUnmock('#client/ui/form/form-input.ts');
  vi.unstubAllGlobals();
});

/** A visitor opens a page, in which chunks are missing. Returns a function that loads one. */
async function openPage(): Promise<() => Error> {
  const { reloadOnMissingChunk } = await import('#client/boot/missing-chunk.ts');
  reloadOnMissingChunk();
  return () => {
    const payload = new TypeError('Failed to fetch dynamically imported module');
    browserWindow.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
    return payload;
  };
}

/** Waits until the page has decided whether to reload. */
const untilDecided = () => new Promise((resolve) => setImmediate(resolve));

test('a missing chunk reloads the page of a visitor once', async () => {
  const loadChunk = await openPage();
  loadChunk();
  loadChunk();
  await untilDecided();
  loadChunk();
  await untilDecided();
  expect(reload).toHaveBeenCalledOnce();
});

test('a missing chunk does not reload the page while a visitor fills in a form', async () => {
  isFilledIn = true;
  const loadChunk = await openPage();
  loadChunk();
  await untilDecided();
  expect(reload).not.toHaveBeenCalled();
});

test('the error of a missing chunk has a message that the router does not recognize', async () => {
  const loadChunk = await openPage();
  expect(loadChunk().message).toMatch(/^A chunk is missing: /);
});
