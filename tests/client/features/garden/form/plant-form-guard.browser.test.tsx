import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { closeSession } from '#client/session/session.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  dialog,
  monty,
  plantCard,
  pullPlants,
  rejectNext,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { fillNames } from '../../../../support/component/plant-form.ts';
import { smallTargets } from '../../../../support/layout.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const form = () => dialog('Add New Plant');
const question = () => dialog('Discard changes?');
const untilClosed = () => expect.element(dialog()).not.toBeInTheDocument();

const ways = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the close button', () => button('Close dialog').click()],
] as const;

test.each(ways)('%s closes an unchanged form without a confirmation', async (_, close) => {
  const app = await openApp('/dashboard/plants');
  await button('Add New Plant').click();
  await expect.element(form()).toBeVisible();
  await close();
  await untilClosed();
  expect(app.url()).toBe('/dashboard/plants');
});

test('a form is at most 48rem wide, and a tap outside a form with input asks before it discards the input', async () => {
  await resizeScreen(1000, 800);
  await openApp('/dashboard/plants?form=new');
  await expect.element(form()).toBeVisible();
  expect(form().element().getBoundingClientRect().width).toBe(768);
  await fillNames('Typed');
  await userEvent.click(document.body, { position: { x: 5, y: 400 }, force: true });
  await button('Discard').click();
  await untilClosed();
});

test.each([false, true])(
  'Cancel closes the form without a confirmation (with input: %s)',
  async (isTyped) => {
    await openApp('/dashboard/plants?form=new');
    await expect.element(form()).toBeVisible();
    if (isTyped) await fillNames('Typed');
    await button('Cancel').click();
    await untilClosed();
  },
);

test.each(['/dashboard', '/dashboard/plants', '/dashboard/schedule'])(
  'a URL opens the form on %s, and Cancel closes it without leaving that screen',
  async (path) => {
    const app = await openApp(`${path}?form=new`);
    await expect.element(form()).toBeVisible();
    await button('Cancel').click();
    await untilClosed();
    expect(app.url()).toBe(path);
  },
);

test.each(['form', 'delete'])(
  'a URL with ?%s= and an unknown plant shows a message, and Close closes it without leaving the screen',
  async (name) => {
    const app = await openApp(`/dashboard/plants?${name}=nobody`);
    const missing = dialog('Plant');
    await expect.element(missing.getByText('This plant is not in your collection')).toBeVisible();
    await expect
      .element(missing.getByText('It may have been deleted, perhaps on another device.'))
      .toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    await button('Close').click();
    await untilClosed();
    expect(app.url()).toBe('/dashboard/plants');
  },
);

test('the dashboard offers to add a plant but has no menus on its cards', async () => {
  await openApp('/dashboard');
  await expect.element(plantCard('Monty')).toBeVisible();
  expect(page.getByRole('button', { name: /^Actions for/ }).elements()).toHaveLength(0);
  await button('Add New Plant').click();
  await expect.element(form()).toBeVisible();
});

test('a plant can be added with the keyboard alone, and the focus returns to where it was', async () => {
  await openApp('/dashboard/plants');
  await expect.element(button('Add New Plant')).toBeVisible();
  (button('Add New Plant').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Nickname')).toHaveFocus();
  await userEvent.keyboard('Keyed{Tab}Boston Fern{Tab}Fern{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Care Requirements');
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Smart Features');
  await userEvent.keyboard('{Tab}{Enter}');
  await acceptNext(db, monty({ id: 'keyed', nickname: 'Keyed' }));
  await untilClosed();
  await expect.element(plantCard('Keyed')).toBeInTheDocument();
  await expect.element(button('Add New Plant')).toHaveFocus();
});

test('the form to edit a plant, opened from its details, focuses its title, and the card when it closes', async () => {
  await openApp('/dashboard/plants');
  await page.getByRole('link', { name: 'Details of Monty' }).click();
  await dialog('Monty').getByRole('button', { name: 'Edit Plant' }).click();
  // The focus in a field would open the keyboard of a phone.
  await expect.poll(() => document.activeElement?.textContent).toBe('Basic Info');
  await button('Cancel').click();
  await untilClosed();
  await expect.element(page.getByRole('link', { name: 'Details of Monty' })).toHaveFocus();
});

test('the menu of a card works with the keyboard alone and returns the focus', async () => {
  await openApp('/dashboard/plants');
  const menu = button('Actions for Monty');
  await expect.element(menu).toBeVisible();
  (menu.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toMatch('Fertilized');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await expect.element(dialog('Delete Plant')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await untilClosed();
  await expect.element(menu).toHaveFocus();
});

test('a session that ends while a form is open leads to sign-in without a confirmation', async () => {
  const app = await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  closeSession();
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  expect(app.url()).toMatch(/^\/signin/);
  expect(dialog().elements()).toHaveLength(0);
});

test('the card menu, the Delete dialog and the plant form have no accessibility violations and no small touch targets', async () => {
  const check = async () => {
    expect(await violationsInBothThemes()).toEqual([]);
    expect(smallTargets()).toEqual([]);
  };
  const app = await openApp('/dashboard/plants');
  await button('Actions for Monty').click();
  await check();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.element(dialog('Delete Plant')).toBeVisible();
  await check();
  await userEvent.keyboard('{Escape}');
  await untilClosed();
  await app.navigate('/dashboard/plants?form=monty');
  await page.getByLabelText('Nickname').fill('');
  await userEvent.keyboard('{Enter}');
  await check();
  await page.getByLabelText('Nickname').fill('Rude');
  await userEvent.keyboard('{Enter}');
  const minimum = page.getByRole('group', { name: /^Soil/ }).getByLabelText('Minimum');
  await minimum.fill('100');
  await userEvent.keyboard('{Enter}');
  await check();
  await minimum.fill('10');
  await userEvent.keyboard('{Enter}');
  await button('Save Changes').click();
  await rejectNext(db, 'nickname: Too rude');
  await expect.element(page.getByRole('alert')).toBeVisible();
  await check();
  await userEvent.keyboard('{Escape}');
  await expect.element(question()).toBeVisible();
  await check();
});
