import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { User } from '#contract/auth.ts';
import { timeZoneOf } from '#domain/zone.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { deferred } from '../../../support/deferred.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';

const patch = 'PATCH /auth/me';
const rosa: User = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const berlin = 'Europe/Berlin';

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [] });
  api.respond(patch, () => ({
    status: 200,
    json: { ...rosa, ...Object(api.calls.at(-1)?.body) },
  }));
});

const signInRosa = (changes: Partial<User> = {}) => signInAs({ email: rosa.email, ...changes });

/** The device's time zone is Berlin in winter, on every machine and every day that runs the test. */
function inBerlin(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...resolvedOptions.call(this), timeZone: berlin };
  });
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
}

const form = () => page.getByRole('form', { name: 'Time zone' });
const offer = () => page.getByText('Use this device’s time zone (UTC+1)?');
const zones = () => api.calls.filter(({ route }) => route === patch).map(({ body }) => body);

test('a saved time zone changes the time on the schedule, and the default zone can be chosen again', async () => {
  const db = await signInRosa();
  await pullPlants(db, [monty({ next_watering_date: '2027-07-14T07:30:00Z' })]);
  const app = await openApp('/dashboard/settings');
  const select = form().getByLabelText('Time zone');
  await expect.element(select).toHaveValue('');
  await expect.element(select).toHaveTextContent(/^UTC\+7 \(default\)/);
  await select.selectOptions(berlin);
  await form().getByRole('button', { name: 'Save' }).click();
  await expect.element(form().getByRole('status')).toHaveTextContent('Saved');
  await app.navigate('/dashboard/schedule');
  await expect.element(page.getByText('Next: Jul 14, 2027, 9:30 AM')).toBeVisible();
  await app.navigate('/dashboard/settings');
  await form().getByLabelText('Time zone').selectOptions('UTC+7 (default)');
  await form().getByRole('button', { name: 'Save' }).click();
  await expect.element(form().getByRole('status')).toHaveTextContent('Saved');
  expect(zones()).toEqual([{ time_zone: berlin }, { time_zone: null }]);
});

test('a time zone that cannot be saved without a connection stays selected', async () => {
  api.respond(patch, 'unreachable');
  await signInRosa();
  await openApp('/dashboard/settings');
  const select = form().getByLabelText('Time zone');
  await select.selectOptions(berlin);
  await form().getByRole('button', { name: 'Save' }).click();
  await expect.element(form().getByRole('status')).toHaveTextContent(/^No connection/);
  await expect.element(select).toHaveValue(berlin);
});

test('a stored zone that this browser does not list stays selected', async () => {
  await signInRosa({ time_zone: 'US/Eastern' });
  await openApp('/dashboard/settings');
  await expect.element(form().getByLabelText('Time zone')).toHaveValue('US/Eastern');
});

test('the dashboard offers the device’s zone if it differs from the account’s, until the offer is declined', async () => {
  inBerlin();
  const db = await signInRosa();
  await pullPlants(db, [monty()]);
  const app = await openApp('/dashboard');
  await expect.element(offer()).toBeVisible();
  await button('Not now, keep the time zone').click();
  await expect.element(offer()).not.toBeInTheDocument();
  await app.navigate('/dashboard/plants');
  await app.navigate('/dashboard');
  await expect.element(page.getByRole('article', { name: 'Monty' })).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  // The settings still offer it.
  await app.navigate('/dashboard/settings');
  await expect.element(offer()).toBeVisible();
  expect(zones()).toEqual([]);
});

test('one tap uses the offered zone, a failure is shown until the next try, and the focus moves to the screen', async () => {
  inBerlin();
  const db = await signInRosa();
  await pullPlants(db, [monty()]);
  await openApp('/dashboard');
  api.respond(patch, 'unreachable');
  await button('Use').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^No connection/);
  const { promise, resolve } = deferred();
  api.respond(patch, async () => {
    await promise;
    return { status: 200, json: { ...rosa, time_zone: berlin } };
  });
  await button('Use').click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  resolve();
  await expect.element(offer()).not.toBeInTheDocument();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test.each([
  ['that has the same time as the account', { time_zone: 'Europe/Paris' }],
  ['of the account', { time_zone: berlin }],
])('no zone is offered to a device in the zone %s', async (_, profile) => {
  inBerlin();
  expect(timeZoneOf(profile.time_zone).name).toBe(profile.time_zone);
  const db = await signInRosa(profile);
  await pullPlants(db, [monty()]);
  await openApp('/dashboard');
  await expect.element(page.getByRole('article', { name: 'Monty' })).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
});

test('the offer is accessible and fits on the narrowest phone', async () => {
  inBerlin();
  await resizeScreen(320, 640);
  const db = await signInRosa();
  await pullPlants(db, [monty()]);
  await openApp('/dashboard');
  await expect.element(offer()).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
  expect(sidewaysParts()).toEqual([]);
});
