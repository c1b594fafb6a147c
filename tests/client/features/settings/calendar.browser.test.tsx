import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { CalendarState } from '#contract/settings/calendar.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { announced, dialog } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { deferred } from '../../../support/deferred.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';

const secret = 'https://sprig.example/calendar/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE.ics';

let api: FakeApi;
let state: CalendarState;
beforeEach(async () => {
  api = fakeApi();
  state = { created_at: null, is_per_plant: false, fetched_at: null };
  api.respond('GET /api/calendar', () => ({ status: 200, json: state }));
  api.respond('POST /api/calendar', () => {
    state = { ...state, created_at: '2026-11-20T08:00:00Z' };
    return { status: 201, json: { ...state, url: secret } };
  });
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [] });
  await signInAs({ email: 'rosa@garden.org' });
});

const section = () => page.getByRole('region', { name: 'Calendar', exact: true });
const made = { created_at: '2026-11-01T08:00:00Z', fetched_at: '2026-11-20T02:00:00Z' };
const calls = () => api.calls.filter(({ route }) => route.endsWith('/api/calendar'));

async function openCalendar(): Promise<void> {
  await openApp('/dashboard/settings');
  await expect.element(section().getByText(/^Google/)).toBeVisible();
}

test('a tap creates the calendar, and its https and webcal URLs can be copied', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openCalendar();
  await button('Create calendar').click();
  await expect.element(page.getByRole('heading', { name: 'Your calendar is ready' })).toHaveFocus();
  await button('Copy https address').click();
  await expect.poll(announced).toBe('https address copied');
  expect(write).toHaveBeenLastCalledWith(secret);
  await button('Copy webcal address').click();
  await expect.poll(announced).toBe('webcal address copied');
  expect(write).toHaveBeenLastCalledWith(secret.replace('https', 'webcal'));
  await expect.element(section().getByText('Created Nov 20, 2026')).toBeVisible();
  await expect.element(section().getByText('Not fetched yet')).toBeVisible();
  expect(calls().map(({ route }) => route)).toEqual([
    'GET /api/calendar',
    'GET /api/calendar',
    'POST /api/calendar',
  ]);
});

test('the section says that the calendar is an overview, not a reminder, and has a hint for each of three calendar apps', async () => {
  state = { ...state, ...made };
  await openCalendar();
  await expect.element(section().getByText(/overview.*not a reminder/)).toBeVisible();
  const hints = section().getByRole('listitem').elements();
  expect(hints.map(({ textContent }) => textContent.split(' ')[0])).toEqual([
    'Google',
    'Apple',
    'Outlook',
  ]);
  await expect.element(section().getByText('Last fetched Nov 20, 9:00 AM')).toBeVisible();
});

test('the switch for one event per plant saves the setting', async () => {
  state = { ...state, ...made };
  api.respond('PATCH /api/calendar', () => {
    state = { ...state, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: state };
  });
  await openCalendar();
  const perPlant = section().getByRole('switch', { name: 'One event per plant' });
  await perPlant.click();
  await expect.element(section().getByText('Saved')).toBeVisible();
  await expect.element(perPlant).toBeChecked();
  expect(calls().at(-1)?.body).toEqual({ is_per_plant: true });
});

test('replacing the URL and deleting the calendar need a confirmation', async () => {
  state = { ...state, ...made };
  await openCalendar();
  await button('New address').click();
  await button('Keep the address').click();
  expect(calls()).toHaveLength(1);
  await button('New address').click();
  await button('Make a new address').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  await button('Remove calendar').click();
  await button('Keep it').click();
  expect(calls()).toHaveLength(2);
  await button('Remove calendar').click();
  api.respond('DELETE /api/calendar', { status: 200, json: {} });
  await button('Remove it').click();
  await expect.element(button('Create calendar')).toBeVisible();
  await expect.element(section().getByText(secret, { exact: true })).not.toBeInTheDocument();
  await expect.element(section().getByText('The calendar is removed')).toBeVisible();
});

test('leaving the settings before the new URL was copied asks first', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  void app.navigate('/dashboard/articles');
  await expect
    .element(dialog('Leave without copying?'))
    .toHaveAccessibleDescription('The address has not been copied and will not be shown again.');
  await button('Back to the address').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  void app.navigate('/dashboard/articles');
  await button('Leave').click();
  await expect.element(page.getByRole('heading', { name: 'Plant Articles' })).toBeVisible();
});

test('leaving the settings while the URL is being created asks first, and the URL is shown to a person who stays', async () => {
  const created = deferred();
  api.respond('POST /api/calendar', async () => {
    await created.promise;
    return { status: 201, json: { ...state, created_at: made.created_at, url: secret } };
  });
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.poll(() => calls().at(-1)?.route).toBe('POST /api/calendar');
  void app.navigate('/dashboard/articles');
  await button('Back to the address').click();
  created.resolve();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
});

test('leaving the settings asks first if only the old URL was copied, while the new one was being created', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  const created = deferred();
  const next = secret.replace('AbCd', 'ZyXw');
  api.respond('POST /api/calendar', async () => {
    await created.promise;
    return { status: 201, json: { ...state, url: next } };
  });
  await button('New address').click();
  await button('Make a new address').click();
  await button('Copy https address').click();
  await expect.poll(announced).toBe('https address copied');
  created.resolve();
  await expect.element(section().getByText(next, { exact: true })).toBeVisible();
  void app.navigate('/dashboard/articles');
  await expect.element(dialog('Leave without copying?')).toBeVisible();
});

test('leaving the settings needs no confirmation if creating the URL failed', async () => {
  api.respond('POST /api/calendar', { status: 500, json: { message: 'Oops' } });
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(section().getByText('Oops')).toBeVisible();
  await app.navigate('/dashboard/articles');
  await expect.element(page.getByRole('heading', { name: 'Plant Articles' })).toBeVisible();
});

test.each([
  ['was copied', () => button('Copy webcal address').click()],
  ['was opened', () => page.getByRole('link', { name: 'Open in the calendar app' }).click()],
  [
    'was removed',
    async () => {
      await button('Remove calendar').click();
      await button('Remove it').click();
      await expect.element(button('Create calendar')).toBeVisible();
    },
  ],
])('leaving the settings needs no confirmation if the new URL %s', async (_, act) => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  api.respond('DELETE /api/calendar', { status: 200, json: {} });
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  const stop = (event: Event) => event.preventDefault();
  document.addEventListener('click', stop);
  onTestFinished(() => document.removeEventListener('click', stop));
  await act();
  await app.navigate('/dashboard/articles');
  await expect.element(page.getByRole('heading', { name: 'Plant Articles' })).toBeVisible();
});

test('after the old URL was copied, a new URL is not marked as copied, and its heading gets the focus', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openCalendar();
  await button('Create calendar').click();
  await button('Copy https address').click();
  await expect.element(button('Copied https address')).toBeVisible();
  const next = secret.replace('AbCd', 'ZyXw');
  api.respond('POST /api/calendar', { status: 201, json: { ...state, url: next } });
  await button('New address').click();
  await button('Make a new address').click();
  await expect.element(section().getByText(next, { exact: true })).toBeVisible();
  await expect.element(button('Copy https address')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Your calendar is ready' })).toHaveFocus();
});

test('without a response to New address, the old URL is hidden and a note says that it may not work any more', async () => {
  await openCalendar();
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  api.respond('POST /api/calendar', 'unreachable');
  await button('New address').click();
  await button('Make a new address').click();
  await expect.element(section().getByText(mayBeReplaced)).toBeVisible();
  await expect.element(section().getByText(secret, { exact: true })).not.toBeInTheDocument();
  await expect.element(button('New address')).toBeEnabled();
});

test('without a response to Remove calendar, the URL is hidden, and removing it again works', async () => {
  const app = await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  api.respond('DELETE /api/calendar', 'unreachable');
  await button('Remove calendar').click();
  await button('Remove it').click();
  await expect.element(section().getByText(mayBeRemoved)).toBeVisible();
  await expect.element(section().getByText(secret, { exact: true })).not.toBeInTheDocument();
  api.respond('DELETE /api/calendar', { status: 200, json: {} });
  await button('Remove calendar').click();
  await button('Remove it').click();
  await expect.element(section().getByText('The calendar is removed')).toBeVisible();
  void app.navigate('/dashboard/articles');
  await expect.element(page.getByRole('heading', { name: 'Plant Articles' })).toBeVisible();
});

const renewal = ['New address', 'Make a new address'] as const;
const removal = ['Remove calendar', 'Remove it'] as const;
const mayBeReplaced = /No answer\. .*may not work any more/;
const mayBeRemoved = /No answer\. .*may be removed already/;
const badGateway = { status: 502, body: '<h1>Bad Gateway</h1>' };

test.each([
  ['the network is lost after New address was sent', renewal, 'unreachable', mayBeReplaced],
  ['a gateway fails at New address', renewal, badGateway, mayBeReplaced],
  ['the network is lost after Remove calendar was sent', removal, 'unreachable', mayBeRemoved],
  ['a gateway fails at Remove calendar', removal, badGateway, mayBeRemoved],
] as const)('if %s, the old URL is hidden', async (_, [name, confirm], response, text) => {
  await openCalendar();
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  onTestFinished(() => onLine.mockRestore());
  const fail = () => {
    onLine.mockReturnValue(response !== 'unreachable');
    return response;
  };
  api.respond('POST /api/calendar', fail);
  api.respond('DELETE /api/calendar', fail);
  await button(name).click();
  await button(confirm).click();
  await expect.element(section().getByText(text)).toBeVisible();
  await expect.element(section().getByText(secret, { exact: true })).not.toBeInTheDocument();
});

const rejected = { status: 500, json: { message: 'Try later' } };
const busy = { status: 503, json: { message: 'Try later' }, headers: { 'retry-after': '2' } };

test.each([
  ['the server rejects New address', true, renewal, rejected],
  ['the server is too busy for New address', true, renewal, busy],
  ['there is no network for New address', false, renewal, 'unreachable'],
  ['the server rejects Remove calendar', true, removal, rejected],
  ['there is no network for Remove calendar', false, removal, 'unreachable'],
] as const)('if %s, the old URL is still shown', async (_, isOnline, [name, confirm], response) => {
  await openCalendar();
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  api.respond('POST /api/calendar', response);
  api.respond('DELETE /api/calendar', response);
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  await button(name).click();
  await button(confirm).click();
  await expect.element(section().getByText(/Try later|No connection/)).toBeVisible();
  onLine.mockRestore();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
});

test('the calendar is accessible and fits on the narrowest phone', async () => {
  await resizeScreen(320, 640);
  await openCalendar();
  await button('Create calendar').click();
  await expect.element(section().getByText(secret, { exact: true })).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
  expect(sidewaysParts()).toEqual([]);
});
