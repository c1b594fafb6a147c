import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CalendarState } from '#contract/settings/calendar.ts';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { type FakeApi, type FakeResponse, fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { reminderState } from '../../../support/component/reminders.ts';

let api: FakeApi;
let reminders: ReminderState;
const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const calendar: CalendarState = {
  created_at: '2026-11-20T08:00:00Z',
  is_per_plant: false,
  fetched_at: null,
};
const device = { device_id: 'pot-1', created_at: '2026-11-01T08:00:00Z', last_used_at: null };

beforeEach(async () => {
  api = fakeApi();
  reminders = reminderState();
  api.respond('GET /api/reminders', () => ({ status: 200, json: reminders }));
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [{ ...device, id: 'pot' }] });
  api.respond('GET /api/calendar', { status: 200, json: calendar });
  await signInAs({ email: rosa.email });
});

const region = (name: string) => page.getByRole('region', { name, exact: true });
const callsOf = (wanted: string) => api.calls.filter(({ route }) => route === wanted);

/** Holds the responses of a route until they are released, oldest first. */
function delayResponses(route: string, respond: () => FakeResponse) {
  const delayed: (() => void)[] = [];
  api.respond(route, () => {
    const response = respond();
    return new Promise((resolve) => delayed.push(() => resolve(response)));
  });
  return { release: () => delayed.shift()?.() };
}

test('a late response to a request from before a change does not overwrite the change', async () => {
  await openApp('/dashboard/settings');
  const perPlant = region('Calendar').getByRole('switch', { name: 'One event per plant' });
  await expect.element(perPlant).toBeVisible();
  const { release } = delayResponses('GET /api/calendar', () => ({ status: 200, json: calendar }));
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => callsOf('GET /api/calendar')).toHaveLength(2);
  const changed = { status: 200, json: { ...calendar, is_per_plant: true } };
  api.respond('PATCH /api/calendar', changed);
  await perPlant.click();
  await expect.element(region('Calendar').getByText('Saved')).toBeVisible();
  release();
  // The response is discarded, and the third request is not answered yet.
  await expect.poll(() => callsOf('GET /api/calendar')).toHaveLength(3);
  expect(perPlant.element()).toBeChecked();
  api.respond('GET /api/calendar', changed);
  release();
  await expect.element(perPlant).toBeChecked();
});

test('a removed device does not reappear when the response to an earlier request for the list arrives', async () => {
  await openApp('/dashboard/settings');
  await button('Remove pot-1').click();
  const { release } = delayResponses('GET /api/device-tokens', () => ({
    status: 200,
    json: [{ ...device, id: 'pot' }],
  }));
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => callsOf('GET /api/device-tokens')).toHaveLength(2);
  api.respond('DELETE /api/device-tokens/pot', { status: 200, json: {} });
  await button('Remove device').click();
  const none = region('Devices').getByText('No devices yet');
  await expect.element(none).toBeVisible();
  release();
  // The response is discarded, and the third request is not answered yet.
  await expect.poll(() => callsOf('GET /api/device-tokens')).toHaveLength(3);
  expect(none.query()).toBeVisible();
});

test('a response that arrives after that of a later request is not shown', async () => {
  await openApp('/dashboard/settings');
  await expect.element(button('Remove pot-1')).toBeVisible();
  const responses: ((devices: object[]) => void)[] = [];
  api.respond('GET /api/device-tokens', () => {
    return new Promise((resolve) => responses.push((json) => resolve({ status: 200, json })));
  });
  for (const count of [1, 2]) {
    window.dispatchEvent(new Event('online'));
    await expect.poll(() => responses.length).toBe(count);
  }
  const [earlier, later] = responses;
  later?.([{ ...device, id: 'pot', device_id: 'pot-2' }]);
  await expect.element(button('Remove pot-2')).toBeVisible();
  earlier?.([{ ...device, id: 'pot' }]);
  api.respond('PATCH /api/reminders', () => ({ status: 200, json: reminders }));
  await region('Reminders').getByRole('switch', { name: 'Alerts' }).click();
  // When the response to this later request is shown, the earlier one has been handled.
  await expect.element(region('Reminders').getByText('Saved')).toBeVisible();
  await expect.element(button('Remove pot-2')).toBeVisible();
  expect(button('Remove pot-1').elements()).toEqual([]);
});

/** Opens the settings and lets them request the devices again. Returns the functions that respond to the two requests. */
async function requestDevicesTwice(): Promise<((response: FakeResponse) => void)[]> {
  const responses: ((response: FakeResponse) => void)[] = [];
  api.respond('GET /api/device-tokens', () => new Promise((resolve) => responses.push(resolve)));
  await openApp('/dashboard/settings');
  await expect.poll(() => responses.length).toBe(1);
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => responses.length).toBe(2);
  return responses;
}

test('a response that arrives after a later request has failed is shown', async () => {
  const [earlier, later] = await requestDevicesTwice();
  later?.('unreachable');
  await expect.element(region('Devices').getByRole('button', { name: 'Try Again' })).toBeVisible();
  earlier?.({ status: 200, json: [{ ...device, id: 'pot' }] });
  await expect.element(button('Remove pot-1')).toBeVisible();
});

test('a request that fails while a later one runs shows no failure', async () => {
  const [earlier, later] = await requestDevicesTwice();
  const shown: string[] = [];
  const observer = new MutationObserver(() => {
    shown.push(region('Devices').element().textContent ?? '');
  });
  observer.observe(region('Devices').element(), { subtree: true, childList: true });
  onTestFinished(() => observer.disconnect());
  earlier?.('unreachable');
  // The failure is handled before the later response.
  await new Promise(requestAnimationFrame);
  later?.({ status: 200, json: [{ ...device, id: 'pot' }] });
  await expect.element(button('Remove pot-1')).toBeVisible();
  expect(shown.filter((text) => text.includes('Try Again'))).toEqual([]);
});

test('changes of two reminder settings are sent one after the other', async () => {
  const patch = 'PATCH /api/reminders';
  const { release } = delayResponses(patch, () => {
    reminders = { ...reminders, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: reminders };
  });
  await openApp('/dashboard/settings');
  const toggle = (name: string) => region('Reminders').getByRole('switch', { name });
  await toggle('Daily digest').click();
  await toggle('Alerts').click();
  await expect.poll(() => callsOf(patch).length).toBeGreaterThan(0);
  expect(callsOf(patch).map(({ body }) => body)).toEqual([{ digest_enabled: false }]);
  release();
  await expect.poll(() => callsOf(patch)).toHaveLength(2);
  release();
  await expect.poll(() => region('Reminders').getByText('Saved').elements()).toHaveLength(2);
  await expect.element(toggle('Daily digest')).not.toBeChecked();
  await expect.element(toggle('Alerts')).not.toBeChecked();
});

test('changes of the name and the time zone are sent one after the other', async () => {
  const patch = 'PATCH /auth/me';
  let profile = rosa;
  const { release } = delayResponses(patch, () => {
    profile = { ...profile, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: profile };
  });
  await openApp('/dashboard/settings');
  const name = page.getByRole('form', { name: 'Name' });
  await name.getByLabelText('Name').fill('Rose');
  await name.getByRole('button', { name: 'Save' }).click();
  const zone = page.getByRole('form', { name: 'Time zone' });
  await zone.getByLabelText('Time zone').selectOptions('Europe/Berlin');
  await zone.getByRole('button', { name: 'Save' }).click();
  await expect.element(zone.getByRole('button', { name: 'Saving...' })).toBeVisible();
  expect(callsOf(patch).map(({ body }) => body)).toEqual([{ username: 'Rose' }]);
  release();
  await expect.poll(() => callsOf(patch)).toHaveLength(2);
  release();
  await expect.element(zone.getByRole('status')).toHaveTextContent('Saved');
  await expect.element(name.getByLabelText('Name')).toHaveValue('Rose');
  await expect.element(zone.getByLabelText('Time zone')).toHaveValue('Europe/Berlin');
});

test.each([
  ['New address', 'Make a new address', 'POST /api/calendar', 201],
  ['Remove calendar', 'Remove it', 'DELETE /api/calendar', 200],
])(
  'no other button or switch of the calendar can be used while %s runs',
  async (name, confirm, route, status) => {
    const url = 'https://sprig.example/calendar/new.ics';
    const { release } = delayResponses(route, () => ({ status, json: { ...calendar, url } }));
    await openApp('/dashboard/settings');
    const perPlant = region('Calendar').getByRole('switch', { name: 'One event per plant' });
    await expect.element(perPlant).toBeEnabled();
    await button(name).click();
    await button(confirm).click();
    await expect.poll(() => callsOf(route)).toHaveLength(1);
    await expect.element(perPlant).toBeDisabled();
    await expect.element(button('New address')).toBeDisabled();
    await expect.element(button('Remove calendar')).toBeDisabled();
    release();
    await expect.element(perPlant.or(button('Create calendar'))).toBeEnabled();
  },
);

test('a late response to the switch does not bring back the date of a replaced address', async () => {
  const { release } = delayResponses('PATCH /api/calendar', () => ({
    status: 200,
    json: { ...calendar, is_per_plant: true },
  }));
  const url = 'https://sprig.example/calendar/new.ics';
  const renewed = { ...calendar, created_at: '2026-11-27T08:00:00Z' };
  api.respond('POST /api/calendar', { status: 201, json: { ...renewed, url } });
  await openApp('/dashboard/settings');
  await region('Calendar').getByRole('switch', { name: 'One event per plant' }).click();
  await button('New address').click();
  await button('Make a new address').click();
  await expect.element(region('Calendar').getByText('Created Nov 27, 2026')).toBeVisible();
  release();
  await expect.element(region('Calendar').getByText('Saved')).toBeVisible();
  await expect.element(region('Calendar').getByText('Created Nov 27, 2026')).toBeVisible();
});

/** Saves the name Rose, and types another one before the response is released. */
async function typeWhileSaving(next: string) {
  const patch = 'PATCH /auth/me';
  const { release } = delayResponses(patch, () => ({
    status: 200,
    json: { ...rosa, ...Object(api.calls.at(-1)?.body) },
  }));
  await openApp('/dashboard/settings');
  const form = page.getByRole('form', { name: 'Name' });
  await form.getByLabelText('Name').fill('Rose');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsOf(patch)).toHaveLength(1);
  await form.getByLabelText('Name').fill(next);
  await expect.element(form.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  return { form, patch, release };
}

test('input that is typed while a form is being saved is not sent before saving ends, and is not shown as saved', async () => {
  const { form, patch, release } = await typeWhileSaving('Rosalind');
  await userEvent.keyboard('{Enter}');
  expect(callsOf(patch)).toHaveLength(1);
  release();
  await expect.element(form.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  await expect.element(form.getByText('Saved', { exact: true })).not.toBeInTheDocument();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => callsOf(patch)).toHaveLength(2);
  release();
  await expect.element(form.getByRole('status')).toHaveTextContent('Saved');
  await expect.element(form.getByLabelText('Name')).toHaveValue('Rosalind');
});

test('the old value that is typed again while another one is being saved is kept and can be saved', async () => {
  const { form, patch, release } = await typeWhileSaving('Rosa');
  release();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => callsOf(patch).map(({ body }) => body))
    .toEqual([{ username: 'Rose' }, { username: 'Rosa' }]);
  release();
  await expect.element(form.getByRole('status')).toHaveTextContent('Saved');
  await expect.element(form.getByLabelText('Name')).toHaveValue('Rosa');
});

test('a field that was changed back to its saved value shows a later change by another browser', async () => {
  api.respond('PATCH /api/reminders', () => {
    reminders = { ...reminders, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: reminders };
  });
  await openApp('/dashboard/settings');
  const form = region('Reminders').getByRole('form', { name: 'Time of the digest' });
  const time = form.getByLabelText('Time of the digest');
  await time.fill('10:00');
  await time.fill('09:00');
  reminders = { ...reminders, digest_time: '11:30' };
  await region('Reminders').getByRole('switch', { name: 'Alerts' }).click();
  await expect.element(region('Reminders').getByText('Saved')).toBeVisible();
  await expect.element(time).toHaveValue('11:30');
  await expect.element(form.getByRole('button', { name: 'Save' })).not.toBeInTheDocument();
});

test('Create calendar does not replace the URL of a calendar that another browser has created meanwhile', async () => {
  api.respond('GET /api/calendar', { status: 200, json: { ...calendar, created_at: null } });
  await openApp('/dashboard/settings');
  await expect.element(button('Create calendar')).toBeVisible();
  api.respond('GET /api/calendar', { status: 200, json: calendar });
  api.respond('POST /api/calendar', {
    status: 201,
    json: { ...calendar, url: 'https://sprig.example/calendar/new.ics' },
  });
  await button('Create calendar').click();
  await expect.element(button('New address')).toBeVisible();
  expect(callsOf('POST /api/calendar')).toEqual([]);
});
