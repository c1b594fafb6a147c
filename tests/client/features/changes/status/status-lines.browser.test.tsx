import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../../support/component/api.ts';
import { setSync } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

test('the screen says Offline only while the device has no network', async () => {
  fakeApi();
  const db = await signInAs();
  await setSync(db, { pulledAt: Date.now(), connectivity: 'online' });
  // The line is rendered again by the browser's events alone, not by the clock of the screens.
  vi.spyOn(window, 'setInterval').mockImplementation(Object.assign(() => 0, window.setInterval));
  await openApp('/dashboard/analytics');
  const line = page.getByText(/^Offline\. Last updated/);
  await expect.element(page.getByRole('button', { name: /Sync details$/ })).toBeVisible();
  await expect.element(line).not.toBeInTheDocument();
  const onLine = vi.spyOn(navigator, 'onLine', 'get');
  for (const isOnline of [false, true]) {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    await expect.poll(() => line.elements().length).toBe(isOnline ? 0 : 1);
  }
});
