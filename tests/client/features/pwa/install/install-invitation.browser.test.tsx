import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { captureInstallPrompt } from '#client/features/pwa/install/install-prompt.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
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
import { render } from '../../../../support/component/render.tsx';

captureInstallPrompt();

let db: DeviceDb;
beforeEach(async () => {
  // Discards the install prompt of an earlier test.
  window.dispatchEvent(new Event('appinstalled'));
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});

const invitation = () => page.getByText('Install Sprig: it opens like any app');
const isAnswered = () => window.localStorage.getItem('sprig.install-answered');

/** Fires the event of a browser that can install the app. */
function offerInstallation(prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>): void {
  const offer = new Event('beforeinstallprompt', { cancelable: true });
  window.dispatchEvent(Object.assign(offer, { prompt }));
  // The browser must not show its own prompt.
  expect(offer.defaultPrevented).toBe(true);
}

/**
 * Waits until every prompt that is rendered by now is visible. Each prompt appears in the first pause between taps
 * after it was rendered, so this renders one more and waits until that one is visible.
 */
async function untilPromptsAreShown(): Promise<void> {
  const { unmount } = await render(
    <Prompt kind="install" text="Offered last">
      {null}
    </Prompt>,
  );
  await expect.element(page.getByText('Offered last')).toBeVisible();
  await unmount();
}

async function waterZed(): Promise<void> {
  await button('Water Now: Zed').click();
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.poll(announced).toBe('Zed watered');
}

test('the invitation to install the app appears only after the first watering', async () => {
  offerInstallation(vi.fn());
  await openApp('/dashboard');
  await expect.element(button('Water Now: Zed')).toBeInTheDocument();
  await untilPromptsAreShown();
  expect(invitation().elements()).toHaveLength(0);
  await waterZed();
  await expect.element(invitation()).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await button('Not now').click();
  await expect.element(invitation()).not.toBeInTheDocument();
  expect(isAnswered()).toBe('1');
});

test.each([
  ['dismissed', () => Promise.resolve({ outcome: 'dismissed' as const })],
  ['refused', () => Promise.reject(new Error('Prompted before.'))],
])(
  "Install opens the browser's prompt once; if the prompt is %s, the invitation does not return",
  async (_, answer) => {
    const prompt = vi.fn(answer);
    offerInstallation(prompt);
    await openApp('/dashboard');
    await waterZed();
    await button('Install').click();
    await expect.element(invitation()).not.toBeInTheDocument();
    expect(prompt).toHaveBeenCalledOnce();
    expect(isAnswered()).toBe('1');
  },
);

test('a person who has answered is not invited again', async () => {
  window.localStorage.setItem('sprig.install-answered', '1');
  offerInstallation(vi.fn());
  await openApp('/dashboard');
  await waterZed();
  await untilPromptsAreShown();
  expect(invitation().elements()).toHaveLength(0);
});

test('the invitation disappears for good when the app is installed from the browser menu', async () => {
  offerInstallation(vi.fn());
  await openApp('/dashboard');
  await waterZed();
  await expect.element(invitation()).toBeVisible();
  window.dispatchEvent(new Event('appinstalled'));
  await expect.element(invitation()).not.toBeInTheDocument();
  expect(isAnswered()).toBe('1');
});

test('where no install prompt exists, a hint explains how to install, and can be dismissed for good', async () => {
  // As in Safari on an iPhone.
  Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
  await openApp('/dashboard');
  await waterZed();
  const hint = page.getByText('Share, then Add to Home Screen.');
  await expect.element(hint).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await button('Got it').click();
  await expect.element(hint).not.toBeInTheDocument();
  expect(isAnswered()).toBe('1');
  Reflect.deleteProperty(navigator, 'standalone');
});
