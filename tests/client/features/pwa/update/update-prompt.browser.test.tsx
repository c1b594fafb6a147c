import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { showUpdatePrompt } from '#client/features/pwa/update/update-prompt.tsx';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { signInAs } from '../../../../support/component/open-app.tsx';

test('after a press on Update the button says that the update is running, until the page is reloaded', async () => {
  fakeApi();
  await signInAs();
  const postMessage = vi.fn();
  // Only the members that the prompt uses.
  const registration = Object.create({ waiting: { postMessage } });
  const getRegistration = vi.spyOn(navigator.serviceWorker, 'getRegistration');
  getRegistration.mockResolvedValue(registration);
  onTestFinished(() => getRegistration.mockRestore());
  showUpdatePrompt();
  await button('Update').click();
  await expect.element(button('Updating...')).toBeDisabled();
  expect(postMessage.mock.calls).toEqual([[{ type: 'SKIP_WAITING' }]]);
  await button('Later').click();
  await expect.element(button('Later')).not.toBeInTheDocument();
});

test('after Later the device is no longer asked whether a change is being sent', async () => {
  fakeApi();
  const db = await signInAs();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const read = vi.spyOn(db.outbox, 'where');
  const readsIn = (ms: number) => {
    read.mockClear();
    vi.advanceTimersByTime(ms);
    return read.mock.calls.length;
  };
  showUpdatePrompt();
  await expect.element(page.getByText('A new version of Sprig is ready.')).toBeVisible();
  expect(readsIn(5_000)).toBeGreaterThan(0);
  await button('Later').click();
  await expect.element(button('Later')).not.toBeInTheDocument();
  expect(readsIn(5_000)).toBe(0);
});
