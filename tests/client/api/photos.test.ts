import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** An XMLHttpRequest whose response has this status. */
function xhrResponding(status: number) {
  return class extends EventTarget {
    readonly status = status;
    readonly responseText = 'Free Wi-Fi';
    readonly upload = new EventTarget();
    open = () => undefined;
    setRequestHeader = () => undefined;
    getAllResponseHeaders = () => 'content-type: text/plain\r\n';
    send = () => void queueMicrotask(() => this.dispatchEvent(new Event('load')));
  };
}

async function upload(status: number): Promise<Response> {
  vi.stubGlobal('XMLHttpRequest', xhrResponding(status));
  vi.resetModules();
  const { uploadFetch } = await import('#client/api/photos.ts');
  const doFetch = uploadFetch?.(() => undefined) ?? expect.unreachable();
  return await doFetch('/api/photos/1', { method: 'PUT', body: new FormData() });
}

test('the response to an upload has the status and the body of the server', async () => {
  const response = await upload(413);
  expect([response.status, await response.text()]).toEqual([413, 'Free Wi-Fi']);
});

test('an upload whose response has an invalid status fails instead of staying pending', async () => {
  await expect(upload(999)).rejects.toThrow();
});
