import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { reminderState } from '../../../support/component/reminders.ts';

let api: FakeApi;
const calendar = { created_at: '2026-11-20T08:00:00Z', is_per_plant: false, fetched_at: null };
const device = { device_id: 'pot-1', created_at: '2026-11-01T08:00:00Z', last_used_at: null };

beforeEach(async () => {
  api = fakeApi();
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [{ ...device, id: 'pot' }] });
  api.respond('GET /api/calendar', { status: 200, json: calendar });
  await signInAs({ email: 'rosa@garden.org' });
});

const region = (name: string) => page.getByRole('region', { name, exact: true });

test.each([
  ['Profile', 'GET /auth/sessions', 'Signed in'],
  ['Reminders', 'GET /api/reminders', 'Reminders'],
  ['Calendar', 'GET /api/calendar', 'Calendar'],
])(
  'in %s, Try Again moves the focus to the heading above the button',
  async (name, route, heading) => {
    api.respond(route, 'unreachable');
    await openApp('/dashboard/settings');
    const retry = region(name).getByRole('button', { name: 'Try Again' });
    await expect.element(retry).toBeVisible();
    api.respond(route, () => new Promise(() => undefined));
    await retry.click();
    await expect.element(region(name).getByText(/^Loading/)).toBeVisible();
    await expect.element(region(name).getByRole('heading', { name: heading })).toHaveFocus();
  },
);

test.each([
  ['Profile', 'GET /auth/sessions', { status: 200, json: [] }],
  ['Reminders', 'GET /api/reminders', { status: 200, json: reminderState() }],
  ['Devices', 'GET /api/device-tokens', { status: 200, json: [] }],
  ['Calendar', 'GET /api/calendar', { status: 200, json: calendar }],
])(
  'in %s, the focus stays in the section when Try Again disappears because the network is back',
  async (name, route, response) => {
    api.respond(route, 'unreachable');
    await openApp('/dashboard/settings');
    const retry = region(name).getByRole('button', { name: 'Try Again' });
    await expect.element(retry).toBeVisible();
    (retry.element() as HTMLElement).focus();
    api.respond(route, response);
    window.dispatchEvent(new Event('online'));
    await expect.element(retry).not.toBeInTheDocument();
    expect(region(name).element().contains(document.activeElement)).toBe(true);
  },
);

test('if the URL of the calendar cannot be replaced, the focus moves to the section', async () => {
  api.respond('POST /api/calendar', { status: 500, json: { message: 'Something went wrong' } });
  await openApp('/dashboard/settings');
  await button('New address').click();
  await button('Make a new address').click();
  await expect.element(region('Calendar').getByText('Something went wrong')).toBeVisible();
  const focused = () => document.activeElement;
  await expect.poll(() => region('Calendar').element().contains(focused())).toBe(true);
});

test('if the calendar cannot be created, the focus returns to the button', async () => {
  api.respond('GET /api/calendar', { status: 200, json: { ...calendar, created_at: null } });
  api.respond('POST /api/calendar', { status: 500, json: { message: 'Something went wrong' } });
  await openApp('/dashboard/settings');
  await button('Create calendar').click();
  await expect.element(region('Calendar').getByText('Something went wrong')).toBeVisible();
  await expect.element(button('Create calendar')).toHaveFocus();
});

test('if a setting cannot be saved, the focus returns to the Save button', async () => {
  api.respond('PATCH /auth/me', { status: 500, json: { message: 'Something went wrong' } });
  await openApp('/dashboard/settings');
  const form = page.getByRole('form', { name: 'Name' });
  await form.getByLabelText('Name').fill('Rose');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText('Something went wrong')).toBeVisible();
  await expect.element(form.getByRole('button', { name: 'Save' })).toHaveFocus();
});

test('if a browser cannot be signed out or a device cannot be removed, the focus returns to the button', async () => {
  const failed = { status: 500, json: { message: 'Something went wrong' } };
  const browser = { id: 'phone', client: 'Chrome on Android', is_current: false };
  const times = { created_at: '2026-11-20T08:00:00Z', expires_at: '2026-12-20T08:00:00Z' };
  api.respond('GET /auth/sessions', { status: 200, json: [{ ...browser, ...times }] });
  api.respond('DELETE /auth/sessions/phone', failed);
  api.respond('DELETE /auth/sessions', failed);
  api.respond('DELETE /api/device-tokens/pot', failed);
  await openApp('/dashboard/settings');
  const signOut = button('Sign out Chrome on Android, signed in Nov 20');
  await signOut.click();
  await expect.element(region('Profile').getByText('Something went wrong')).toBeVisible();
  await expect.element(signOut).toHaveFocus();
  await button('Sign out everywhere else').click();
  await expect.poll(() => region('Profile').getByText('Something').elements()).toHaveLength(2);
  await expect.element(button('Sign out everywhere else')).toHaveFocus();
  await button('Remove pot-1').click();
  await button('Remove device').click();
  await expect.element(region('Devices').getByText('Something went wrong')).toBeVisible();
  await expect.element(button('Remove device')).toHaveFocus();
});

test.each(['Change email', 'Change password'])('%s moves the focus into its form', async (name) => {
  await openApp('/dashboard/settings');
  await button(name).click();
  await expect.poll(() => document.activeElement?.tagName).toBe('INPUT');
});
