import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { dialog, monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';

const notchPx = 59;

/** A phone in landscape. The tests run in a frame, for which the browser reserves no area, so the token is set. */
beforeEach(async () => {
  fakeApi();
  await resizeScreen(852, 393);
  const { style } = document.documentElement;
  style.setProperty('--safe-side', `${notchPx}px`);
  onTestFinished(() => void style.removeProperty('--safe-side'));
});

/** Texts and controls in one of the two areas at the sides, which a notch or a rounded corner may cover. */
function coveredParts(): string[] {
  const parts = document.querySelectorAll('h1, h2, h3, p, a, button, input, select, [role=dialog]');
  return [...parts]
    .filter((part) => {
      const { left, right, width, height } = part.getBoundingClientRect();
      const isShown = part.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
      const isBackdrop = part.getAttribute('aria-label') === 'Close sidebar';
      const isCovered = left < notchPx || right > window.innerWidth - notchPx;
      return isShown && !isBackdrop && isCovered && part.getAttribute('href') !== '#screen';
    })
    .map((part) => part.outerHTML.slice(0, 80));
}

test.each(['/landing', '/about-us', '/signin', '/signup'])(
  'on a phone in landscape nothing of %s is under the notch',
  async (address) => {
    await openApp(address);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(coveredParts()).toEqual([]);
  },
);

test.each([
  '/dashboard',
  '/dashboard/plants',
  '/dashboard/schedule',
  '/dashboard/articles',
  '/dashboard/settings',
])('on a phone in landscape nothing of %s is under the notch', async (address) => {
  await pullPlants(await signInAs(), [monty()]);
  await openApp(address);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(coveredParts()).toEqual([]);
});

test('on a phone in landscape the sidebar, menus and dialogs are not under the notch', async () => {
  await pullPlants(await signInAs(), [monty()]);
  const app = await openApp('/dashboard/plants');
  await button('Toggle sidebar').click();
  await expect.element(page.getByRole('link', { name: 'My Plants' })).toBeVisible();
  expect(coveredParts()).toEqual([]);
  await button('User menu').click();
  await expect.element(button('Sign Out')).toBeVisible();
  expect(coveredParts()).toEqual([]);
  await app.navigate('/dashboard/plants?plant=monty');
  await expect.element(dialog('Monty')).toBeVisible();
  expect(coveredParts()).toEqual([]);
  await app.navigate('/dashboard/plants?delete=monty');
  await expect.element(dialog('Delete Plant')).toBeVisible();
  expect(coveredParts()).toEqual([]);
});

test('on a narrow screen with a notch a prompt and a sheet are not under it', async () => {
  await resizeScreen(500, 280);
  await pullPlants(await signInAs(), [monty()]);
  await render(
    <Prompt kind="install" text="Add Sprig to your home screen">
      <button type="button">Install</button>
    </Prompt>,
  );
  await openApp('/dashboard/plants?plant=monty');
  await expect.element(dialog('Monty')).toBeVisible();
  await expect
    .poll(() => page.getByText('Add Sprig to your home screen').elements())
    .toHaveLength(1);
  expect(coveredParts()).toEqual([]);
});
