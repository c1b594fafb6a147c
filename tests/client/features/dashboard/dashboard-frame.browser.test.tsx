import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';

beforeEach(async () => {
  fakeApi();
  await signInAs();
});

const toggle = () => button('Toggle sidebar');
const sidebar = () => page.getByRole('navigation', { name: 'Main' });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

test('the sidebar links to the six screens and to the help articles', async () => {
  await openApp('/dashboard/analytics');
  await toggle().click();
  await expect.element(sidebar().getByRole('link').last()).toBeVisible();
  const links = [...sidebar().element().querySelectorAll('a')];
  expect(links.map((a) => [a.textContent?.trim(), a.getAttribute('href')])).toEqual([
    ['Dashboard', '/dashboard'],
    ['My Plants', '/dashboard/plants'],
    ['Watering Schedule', '/dashboard/schedule'],
    ['AI Analytics', '/dashboard/analytics'],
    ['Notifications', '/dashboard/notifications'],
    ['Articles', '/dashboard/articles'],
    ['Read Articles', '/dashboard/articles'],
  ]);
});

test.each([
  ['/dashboard?devices=1', 'Dashboard'],
  ['/dashboard/schedule?devices=1', 'Watering Schedule'],
])(
  'at %s, with a dialog over the screen, the sidebar marks only the link to %s',
  async (url, name) => {
    await openApp(url);
    const marked = () => [...document.querySelectorAll('nav [aria-current="page"]')];
    await expect.poll(() => marked().map(({ textContent }) => textContent?.trim())).toEqual([name]);
  },
);

test('screen readers find the button that closes the overlay sidebar only while the sidebar is open', async () => {
  await openApp('/dashboard/analytics');
  const close = page.getByRole('button', { name: 'Close sidebar' });
  await expect.element(close).not.toBeInTheDocument();
  await toggle().click();
  await expect.element(close).toBeInTheDocument();
  await close.click({ position: { x: 380, y: 400 } });
  await expect.element(close).not.toBeInTheDocument();
});

test('Escape in the overlay sidebar moves the focus to its button, and a link to the new screen', async () => {
  await openApp('/dashboard/analytics');
  const link = sidebar().getByText('Notifications');
  await toggle().click();
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(toggle()).toHaveFocus();
  await expect.element(sidebar()).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Notifications').first()).toBeVisible();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('Tab from the overlay sidebar to the screen closes the sidebar, so that it does not cover the focus', async () => {
  await openApp('/dashboard/notifications');
  await toggle().click();
  const last = sidebar().getByRole('link').last();
  await expect.element(last).toBeVisible();
  last.element().focus();
  await userEvent.keyboard('{Tab}');
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Settings → Reminders' }))
    .toHaveFocus();
  await expect.element(sidebar()).not.toBeInTheDocument();
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false');
});

test('Escape closes the overlay sidebar from the header too, but an open menu first', async () => {
  await openApp('/dashboard/notifications');
  await toggle().click();
  await expect.element(toggle()).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(sidebar()).not.toBeInTheDocument();
  await toggle().click();
  await button('User menu').click();
  const menu = page.getByRole('region', { name: 'User menu' });
  await expect.element(menu).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(sidebar()).toBeVisible();
});

test('the focus in the screen and Escape leave a docked sidebar open', async () => {
  await resizeScreen(1024, 800);
  await openApp('/dashboard/notifications');
  await toggle().click();
  await expect.element(sidebar()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  page.getByRole('link', { name: 'Settings → Reminders' }).element().focus();
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true');
});

test('the sidebar starts open and docked on a wide screen; on a phone a tap on its backdrop closes it, and the closed state is stored', async () => {
  window.localStorage.removeItem('sprig.sidebar-open');
  const left = () => document.querySelector('main')?.getBoundingClientRect().x;
  const width = () => document.querySelector('nav')?.getBoundingClientRect().width;
  const overlay = () => page.getByRole('button', { name: 'Close sidebar', includeHidden: true });
  await resizeScreen(1024, 800);
  await openApp('/dashboard/analytics');
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true');
  await expect.element(overlay()).not.toBeVisible();
  await expect.poll(() => left() === width()).toBe(true);
  // Links of a docked sidebar leave it open.
  await sidebar().getByRole('link', { name: 'Notifications' }).click();
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true');
  await resizeScreen(1023, 800);
  await expect.poll(left).toBe(0);
  await expect.element(overlay()).toBeVisible();
  await resizeScreen(390);
  await overlay().click({ position: { x: 380, y: 400 } });
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false');
  await expect.element(sidebar()).not.toBeInTheDocument();
  expect(window.localStorage.getItem('sprig.sidebar-open')).toBe('0');
});

test('the user menu names the person and offers to sign out', async () => {
  await signInAs({ username: 'Demo Gardener', email: 'demo@sprig.local' });
  await openApp('/dashboard/analytics');
  await button('User menu').click();
  const menu = page.getByRole('region', { name: 'User menu' });
  await expect.element(menu).toBeVisible();
  const texts = [...menu.element().querySelectorAll('p')].map((p) => p.textContent);
  expect(texts).toEqual(['Demo Gardener', 'demo@sprig.local']);
  await expect.element(button('Sign Out')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
});

test('the bell has a red dot, and its menu says that notifications will come and links to the preview', async () => {
  await openApp('/dashboard/analytics');
  const dot = button('Notifications').element().querySelector('span');
  if (!dot) throw new Error('no dot');
  expect(getComputedStyle(dot).backgroundColor).toBe('rgb(209, 55, 44)');
  const { width, height } = dot.getBoundingClientRect();
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(8);
  const logo = page.getByRole('banner').getByRole('link', { name: 'Sprig' });
  await expect.element(logo).toHaveAttribute('href', '/landing');
  await button('Notifications').click();
  const news = 'Real-time plant notifications will come in the next update.';
  await expect.element(page.getByText(news).first()).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await page.getByRole('link', { name: 'See the preview' }).click();
  await expect.element(heading('Notifications Coming Soon')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'See the preview' })).not.toBeInTheDocument();
});

test.each([
  ['analytics', 'Coming Soon', ['Smart Predictions', 'Growth Optimization', 'Advanced Reporting']],
  [
    'notifications',
    'Notifications Coming Soon',
    ['Smart Alerts', 'Watering Reminders', 'Growth Milestones'],
  ],
])('the preview of %s lists the coming features and is accessible', async (name, title, cards) => {
  await openApp(`/dashboard/${name}`);
  await expect.element(heading(title)).toBeVisible();
  for (const card of cards) await expect.element(heading(card)).toBeVisible();
  const launch = page.getByText('Estimated launch: Coming next update');
  expect(launch.elements()).toHaveLength(name === 'notifications' ? 1 : 0);
  expect(await violationsInBothThemes()).toEqual([]);
});

test('the open sidebar of a phone is accessible', async () => {
  await openApp('/dashboard/analytics');
  await toggle().click();
  await expect.element(sidebar()).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
});
