import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { dialog } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { reminderState } from '../../../support/component/reminders.ts';
import { deferred } from '../../../support/deferred.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };

let api: FakeApi;
beforeEach(async () => {
  api = fakeApi();
  api.respond('GET /api/reminders', { status: 200, json: reminderState() });
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [] });
  await signInAs({ email: rosa.email });
});

const field = (form: string, label: string) =>
  page.getByRole('form', { name: form }).getByLabelText(label, { exact: true });
const articles = () => page.getByRole('heading', { level: 1, name: 'Plant Articles' });

async function leave(): Promise<void> {
  const toggle = button('Toggle sidebar');
  await toggle.click();
  await page.getByRole('link', { name: 'Articles', exact: true }).click();
}

test.each([
  ['name', 'Name', 'Name', 'Rosa Gardener', null],
  ['ntfy topic', 'ntfy topic', 'Address of the topic', 'https://ntfy.sh/rosa', null],
  ['start of the quiet hours', 'Quiet hours', 'From', '21:00', null],
  ['email address', 'Email address', 'New email address', 'rosa@new.example', 'Change email'],
  ['password', 'Password', 'New password', 'new-Garden-7', 'Change password'],
])(
  'leaving the settings with a typed %s asks first, and Keep editing keeps it',
  async (_, form, label, typed, opener) => {
    await openApp('/dashboard/settings');
    if (opener) await button(opener).click();
    await field(form, label).fill(typed);
    await leave();
    await expect.element(dialog('Discard changes?')).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    await button('Keep editing').click();
    await expect.element(field(form, label)).toHaveValue(typed);
    await leave();
    await button('Discard').click();
    await expect.element(articles()).toBeVisible();
  },
);

test('leaving the settings needs no confirmation if nothing is typed or what was typed is saved or cancelled', async () => {
  api.respond('PATCH /auth/me', { status: 200, json: { ...rosa, username: 'Rose' } });
  await openApp('/dashboard/settings');
  await field('Name', 'Name').fill('Rose');
  await page.getByRole('form', { name: 'Name' }).getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Saved')).toBeVisible();
  await field('Quiet hours', 'From').fill('21:00');
  await field('Quiet hours', 'From').fill('22:00');
  await button('Change email').click();
  await field('Email address', 'New email address').fill('rosa@new.example');
  await button('Cancel').click();
  await button('Change password').click();
  // As the browser may fill it in.
  await field('Password', 'Current password').fill('old-Garden-6');
  await leave();
  await expect.element(articles()).toBeVisible();
});

test('leaving the settings with input in two forms asks once', async () => {
  await openApp('/dashboard/settings');
  await field('Name', 'Name').fill('Rose');
  await field('Quiet hours', 'From').fill('21:00');
  await leave();
  await button('Discard').click();
  await expect.element(articles()).toBeVisible();
});

async function typeName(): Promise<void> {
  await field('Name', 'Name').fill('Rose');
}

const secret = 'sprig_0123456789abcdef';

async function addDevice(): Promise<void> {
  const device = { id: '1', device_id: 'pot', created_at: '2026-11-01T08:00:00Z' };
  const added = { ...device, last_used_at: null };
  api.respond('POST /api/device-tokens', () => {
    api.respond('GET /api/device-tokens', { status: 200, json: [added] });
    return { status: 201, json: { ...added, token: secret } };
  });
  await page.getByLabelText('Device ID').fill('pot');
  await button('Add device').click();
  await expect.element(page.getByText(secret, { exact: true })).toBeVisible();
}

const url = 'https://sprig.example/calendar/AbCd.ics';

async function createCalendar(): Promise<void> {
  const state = { created_at: null, is_per_plant: false, fetched_at: null };
  const made = { ...state, created_at: '2026-11-20T08:00:00Z', url };
  api.respond('GET /api/calendar', { status: 200, json: state });
  window.dispatchEvent(new Event('online'));
  api.respond('POST /api/calendar', { status: 201, json: made });
  await button('Create calendar').click();
  await expect.element(page.getByText(url, { exact: true })).toBeVisible();
}

/** The buttons that discard and keep what is unsaved. */
const ofName = ['Discard', 'Keep editing'] as const;
const ofSecret = ['Leave', 'Back to the secret'] as const;
const ofAddress = ['Leave', 'Back to the address'] as const;

test.each([
  ['a typed name, then an uncopied secret', [typeName, addDevice], [ofName, ofSecret]],
  ['an uncopied secret, then a typed name', [addDevice, typeName], [ofName, ofSecret]],
  ['a typed name, then an uncopied address', [typeName, createCalendar], [ofName, ofAddress]],
  ['an uncopied address, then a typed name', [createCalendar, typeName], [ofName, ofAddress]],
  ['an uncopied secret, then an address', [addDevice, createCalendar], [ofSecret, ofAddress]],
] as const)(
  'leaving the settings with %s asks about each in the order of the screen, and the second question can keep both',
  async (_, [makeFirst, makeSecond], [[discardFirst], [discardSecond, keepSecond]]) => {
    await openApp('/dashboard/settings');
    await makeFirst();
    await makeSecond();
    await leave();
    await button(discardFirst).click();
    await button(keepSecond).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(articles()).not.toBeInTheDocument();
    await leave();
    await button(discardFirst).click();
    await expect.element(button(keepSecond)).toBeVisible();
    await button(discardSecond).click();
    await expect.element(articles()).toBeVisible();
  },
);

test('leaving the settings asks about a name that was typed while an earlier one is being saved', async () => {
  const { promise, resolve } = deferred();
  api.respond('PATCH /auth/me', async () => {
    await promise;
    return { status: 200, json: { ...rosa, username: 'Rose' } };
  });
  const app = await openApp('/dashboard/settings');
  await typeName();
  await page.getByRole('form', { name: 'Name' }).getByRole('button', { name: 'Save' }).click();
  await expect.element(button('Saving...')).toBeVisible();
  await field('Name', 'Name').fill('Rosalind');
  await leave();
  await button('Keep editing').click();
  resolve();
  await expect.element(button('Save')).toBeVisible();
  await expect.element(field('Name', 'Name')).toHaveValue('Rosalind');
  expect(app.url()).toBe('/dashboard/settings');
});
