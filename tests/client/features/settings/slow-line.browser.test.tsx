import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type FakeApi, type FakeResponse, fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';

let api: FakeApi;
const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const browser = {
  id: 'phone',
  created_at: '2026-11-20T08:00:00Z',
  expires_at: '2026-12-20T08:00:00Z',
  client: 'Chrome on Android',
  is_current: false,
};
const device = { device_id: 'pot-1', created_at: '2026-11-01T08:00:00Z', last_used_at: null };
const calendar = { created_at: '2026-11-20T08:00:00Z', is_per_plant: false, fetched_at: null };

beforeEach(async () => {
  // A day on which the zone that is offered has this offset.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
  api = fakeApi();
  api.respond('GET /auth/sessions', { status: 200, json: [browser] });
  api.respond('GET /api/device-tokens', { status: 200, json: [{ ...device, id: 'pot' }] });
  api.respond('GET /api/calendar', { status: 200, json: calendar });
  await signInAs({ email: rosa.email });
});

const fieldOf = (form: string, label: string) =>
  page.getByRole('form', { name: form }).getByLabelText(label, { exact: true });
const done: FakeResponse = { status: 200, json: {} };

test.each([
  {
    what: 'a saved name',
    route: 'PATCH /auth/me',
    response: { status: 200, json: { ...rosa, username: 'Rose' } },
    start: async () => {
      await fieldOf('Name', 'Name').fill('Rose');
      await page.getByRole('form', { name: 'Name' }).getByRole('button').click();
    },
    gone: () => page.getByRole('form', { name: 'Name' }).getByRole('button'),
  },
  {
    what: 'a sent link',
    route: 'POST /auth/email',
    response: { status: 202, json: {} },
    start: async () => {
      await button('Change email').click();
      await page.getByLabelText('New email address').fill('rosa@new.example');
      await page.getByLabelText('Password', { exact: true }).fill('old-garden');
      await button('Send link').click();
    },
    gone: () => page.getByLabelText('New email address'),
  },
  {
    what: 'a browser that was signed out',
    route: 'DELETE /auth/sessions/phone',
    response: done,
    start: () => button('Sign out Chrome on Android, signed in Nov 20').click(),
    gone: () => button('Sign out Chrome on Android, signed in Nov 20'),
  },
  {
    what: 'a removed device',
    route: 'DELETE /api/device-tokens/pot',
    response: done,
    start: async () => {
      await button('Remove pot-1').click();
      await button('Remove device').click();
    },
    gone: () => page.getByText('pot-1', { exact: true }),
  },
  {
    what: 'a removed calendar',
    route: 'DELETE /api/calendar',
    response: done,
    start: async () => {
      await button('Remove calendar').click();
      await button('Remove it').click();
    },
    gone: () => button('Remove calendar'),
  },
  {
    what: 'a time zone in use',
    route: 'PATCH /auth/me',
    response: { status: 200, json: { ...rosa, time_zone: 'Europe/Berlin' } },
    start: () => button('Use').click(),
    gone: () => page.getByText(/^Use this device’s time zone/),
  },
])('$what: a late response leaves the focus where the person has moved it', async (action) => {
  let release = (): void => undefined;
  api.respond(
    action.route,
    () => new Promise((resolve) => (release = () => resolve(action.response))),
  );
  await openApp('/dashboard/settings');
  await action.start();
  await expect.poll(() => api.calls.some(({ route }) => route === action.route)).toBe(true);
  const elsewhere = button('Change password');
  (elsewhere.element() as HTMLElement).focus();
  release();
  await expect.element(action.gone()).not.toBeInTheDocument();
  await expect.element(elsewhere).toHaveFocus();
});
