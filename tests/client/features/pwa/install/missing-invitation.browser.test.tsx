import { expect, test, vi } from 'vitest';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  monty,
  pullPlants,
  wateredAgo,
  zed,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

const load = vi.hoisted(() => ({ attempts: 0 }));

// In a file of its own, because the browser and React keep the result of the first attempt. The import rejects, because
// the mocked module reads its exports while it is evaluated.
vi.mock('#client/features/pwa/install/install-invitation.tsx', () => ({
  get InstallInvitation(): never {
    load.attempts += 1;
    throw new Error('Failed to fetch dynamically imported module');
  },
}));

captureInstallPrompt();

test('the plants stay on the screen if the invitation to install the app cannot be loaded', async () => {
  fakeApi();
  const db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
  const offer = new Event('beforeinstallprompt', { cancelable: true });
  window.dispatchEvent(Object.assign(offer, { prompt: vi.fn() }));
  await openApp('/dashboard');
  await button('Water Now: Zed').click();
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.poll(() => load.attempts).toBeGreaterThan(0);
  await expect.poll(announced).toBe('Zed watered');
  await expect.element(button('Water Now: Monty')).toBeVisible();
});
