import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { emulateMedia, resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { fakePush, pushKey } from '../../../support/component/push.ts';
import { reminderState } from '../../../support/component/reminders.ts';
import { deferred } from '../../../support/deferred.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';

const get = 'GET /api/reminders';
const patch = 'PATCH /api/reminders';

let api: FakeApi;
let state: ReminderState;
beforeEach(async () => {
  api = fakeApi();
  state = reminderState();
  api.respond(get, () => ({ status: 200, json: state }));
  api.respond(patch, () => {
    state = { ...state, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: state };
  });
  api.respond('GET /auth/sessions', { status: 200, json: [] });
  api.respond('GET /api/device-tokens', { status: 200, json: [] });
  await signInAs({ email: 'rosa@garden.org' });
});

const section = () => page.getByRole('region', { name: 'Reminders' });
const toggle = (name: string) => section().getByRole('switch', { name });
const form = (name: string) => section().getByRole('form', { name });
const changes = () => api.calls.filter(({ route }) => route === patch).map(({ body }) => body);

async function openReminders(): Promise<void> {
  await openApp('/dashboard/settings');
  await expect.element(toggle('Daily digest')).toBeVisible();
}

test('the notifications screen says that notifications are coming soon and links to the reminders', async () => {
  const app = await openApp('/dashboard/notifications');
  await expect.element(page.getByText('Notifications Coming Soon')).toBeVisible();
  await page.getByRole('link', { name: 'Settings → Reminders' }).click();
  await expect.element(toggle('Daily digest')).toBeVisible();
  expect(app.url()).toBe('/dashboard/settings#reminders');
});

test('a tap on a switch saves the setting; if that fails, the stored value and the reason are shown', async () => {
  await openReminders();
  await expect.element(toggle('Daily digest')).toBeChecked();
  await toggle('Daily digest').click();
  await expect.element(toggle('Daily digest')).not.toBeChecked();
  await expect.element(section().getByText('Saved')).toBeVisible();
  api.respond(patch, 'unreachable');
  await toggle('Alerts').click();
  await expect.element(section().getByText(/No connection/)).toBeVisible();
  await expect.element(toggle('Alerts')).toBeChecked();
  expect(changes()).toEqual([{ digest_enabled: false }, { alerts_enabled: false }]);
});

test('a second tap on a switch that is being saved changes nothing', async () => {
  const { promise, resolve } = deferred();
  api.respond(patch, async () => {
    await promise;
    return { status: 200, json: { ...state, alerts_enabled: false } };
  });
  await openReminders();
  await toggle('Alerts').click();
  await toggle('Alerts').click();
  expect(toggle('Alerts').element()).not.toBeChecked();
  resolve();
  await expect.element(section().getByText('Saved')).toBeVisible();
  expect(changes()).toEqual([{ alerts_enabled: false }]);
});

test('the status element beside a setting is in the page before it has a text', async () => {
  await openReminders();
  await form('Time of the digest').getByLabelText('Time of the digest').fill('07:30');
  await expect.element(form('Time of the digest').getByRole('status')).toBeInTheDocument();
  const mail = section().getByRole('region', { name: 'Email' });
  expect(
    mail
      .getByRole('status')
      .elements()
      .map(({ textContent }) => textContent),
  ).toContain('');
});

test('times are saved by the Save button', async () => {
  await openReminders();
  const time = form('Time of the digest').getByLabelText('Time of the digest');
  await expect.element(time).toHaveValue('09:00');
  await time.fill('07:30');
  await form('Time of the digest').getByRole('button', { name: 'Save' }).click();
  await expect.element(form('Time of the digest').getByRole('status')).toHaveTextContent('Saved');
  const quiet = form('Quiet hours');
  await quiet.getByLabelText('From').fill('');
  await quiet.getByRole('button', { name: 'Save' }).click();
  await expect.element(quiet.getByLabelText('From')).toHaveAccessibleDescription('Enter a time');
  await quiet.getByLabelText('From').fill('23:15');
  await quiet.getByLabelText('To').fill('06:00');
  await quiet.getByRole('button', { name: 'Save' }).click();
  await expect.element(quiet.getByRole('status')).toHaveTextContent('Saved');
  expect(changes()).toEqual([{ digest_time: '07:30' }, { quiet_from: '23:15', quiet_to: '06:00' }]);
});

test.each([
  [null, 'UTC+7'],
  ['America/New_York', 'America/New York'],
])('in an account with the time zone %s the section names %s', async (time_zone, name) => {
  await signInAs({ time_zone });
  await openReminders();
  await expect.element(section().getByText(`Times are in ${name}.`)).toBeVisible();
});

test('a typed or saved time of the digest that is in the quiet hours has a hint, unless the digest is turned off', async () => {
  await openReminders();
  const time = form('Time of the digest').getByLabelText('Time of the digest');
  await expect.element(time).not.toHaveAccessibleDescription();
  const hint = 'This time is in the quiet hours. The digest is sent at their end instead.';
  await time.fill('22:30');
  await expect.element(time).toHaveAccessibleDescription(hint);
  await form('Time of the digest').getByRole('button', { name: 'Save' }).click();
  await expect.element(form('Time of the digest').getByRole('status')).toHaveTextContent('Saved');
  await expect.element(time).toHaveAccessibleDescription(hint);
  await time.fill('09:00');
  await expect.element(time).not.toHaveAccessibleDescription();
  await time.fill('22:45');
  await expect.element(time).toHaveAccessibleDescription(hint);
  await toggle('Daily digest').click();
  await expect.element(time).not.toHaveAccessibleDescription();
});

test('saving an ntfy topic turns the channel on, a wrong one shows an error, and removing it turns the channel off', async () => {
  await openReminders();
  await expect.element(toggle('ntfy')).toBeDisabled();
  const topic = form('ntfy topic');
  const address = topic.getByLabelText('Address of the topic');
  await address.fill('garden');
  await topic.getByRole('button', { name: 'Save' }).click();
  await expect
    .element(address)
    .toHaveAccessibleDescription('Please enter an address like https://ntfy.sh/my-topic');
  expect(changes()).toEqual([]);
  api.respond(patch, { status: 422, json: { message: 'Please enter an address like this' } });
  await address.fill('https://ntfy.sh/refused');
  await topic.getByRole('button', { name: 'Save' }).click();
  await expect
    .element(topic.getByRole('status'))
    .toHaveTextContent('Please enter an address like this');
  await expect.element(address).toHaveValue('https://ntfy.sh/refused');
  api.respond(patch, () => {
    state = { ...state, ...Object(api.calls.at(-1)?.body) };
    return { status: 200, json: state };
  });
  await address.fill(' https://ntfy.sh/rosas-garden ');
  await topic.getByRole('button', { name: 'Save' }).click();
  await expect.element(toggle('ntfy')).toBeChecked();
  await address.fill('');
  await topic.getByRole('button', { name: 'Save' }).click();
  await expect.element(toggle('ntfy')).toBeDisabled();
  expect(changes().slice(1)).toEqual([
    { ntfy_url: 'https://ntfy.sh/rosas-garden', ntfy_enabled: true },
    { ntfy_url: null, ntfy_enabled: false },
  ]);
});

test('saving a changed ntfy topic does not send whether ntfy is on, so a change of that in another browser is kept', async () => {
  state = { ...state, ntfy_url: 'https://ntfy.sh/rosa', ntfy_enabled: true };
  await openReminders();
  await expect.element(toggle('ntfy')).toBeChecked();
  state.ntfy_enabled = false;
  const topic = form('ntfy topic');
  await topic.getByLabelText('Address of the topic').fill('https://ntfy.sh/rosas-garden');
  await topic.getByRole('button', { name: 'Save' }).click();
  await expect.element(topic.getByRole('status')).toHaveTextContent('Saved');
  expect(changes()).toEqual([{ ntfy_url: 'https://ntfy.sh/rosas-garden' }]);
  await expect.element(toggle('ntfy')).not.toBeChecked();
});

test('after a test message the screen says whether the service accepted it and when it last accepted one', async () => {
  state.mail_enabled = true;
  state.channels.mail = { accepted_at: '2026-11-20T02:00:00Z', problem: 'The mailbox is full' };
  await openReminders();
  const mail = section().getByRole('region', { name: 'Email' });
  await expect.element(mail.getByText('Last accepted Nov 20, 9:00 AM')).toBeVisible();
  await expect.element(mail.getByText('The mailbox is full')).toBeVisible();
  const send = button('Send me one now: email');
  api.respond('POST /api/reminders/test', {
    status: 502,
    json: { message: 'The mail server is busy' },
  });
  await send.click();
  await expect
    .element(mail.getByRole('status').last())
    .toHaveTextContent('The mail server is busy');
  await expect.element(mail.getByText('The mailbox is full')).not.toBeInTheDocument();
  api.respond('POST /api/reminders/test', () => {
    const sent = { accepted_at: '2026-11-21T02:00:00Z', problem: null };
    state = { ...state, channels: { ...state.channels, mail: sent } };
    return { status: 200, json: { message: 'Sent' } };
  });
  await send.click();
  await expect.element(mail.getByText('Last accepted Nov 21, 9:00 AM')).toBeVisible();
  await expect.element(mail.getByText(/Sent/)).toBeVisible();
  await expect.element(send).toHaveFocus();
});

test('on a server without a mail server, the switch and the result of a test say that emails become files', async () => {
  state.mail_to_files = true;
  await openReminders();
  await expect
    .element(toggle('Email'))
    .toHaveAccessibleDescription(
      'This server has no mail server: it writes emails to files instead of sending them.',
    );
  const warning = 'The email was written to a file on the server, because it has no mail server';
  api.respond('POST /api/reminders/test', { status: 200, json: { message: 'Sent', warning } });
  await button('Send me one now: email').click();
  const mail = section().getByRole('region', { name: 'Email' });
  await expect.element(mail.getByRole('status').last()).toHaveTextContent(warning);
});

test('if notifications are blocked in the browser, a text says so and the push switch is disabled', async () => {
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue('denied');
  await openReminders();
  const push = section().getByRole('region', { name: 'Push messages' });
  await expect.element(push.getByText(/^Notifications are blocked for Sprig/)).toBeVisible();
  await expect.element(toggle('Push messages on this device')).toBeDisabled();
});

test('if notifications are allowed while the page is in the background, the push switch can be used on return', async () => {
  const permission = vi.spyOn(Notification, 'permission', 'get').mockReturnValue('denied');
  await openReminders();
  const push = toggle('Push messages on this device');
  await expect.element(section().getByText(/^Notifications are blocked/)).toBeVisible();
  permission.mockReturnValue('default');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(push).toBeEnabled();
});

test('the screen says how many devices get push messages, and until when this device gets them', async () => {
  const push = fakePush({ permission: 'granted' });
  // Nov 21, 9 AM in UTC+7.
  const exp = Date.parse('2026-11-21T02:00:00Z') / 1_000;
  // The characters of base64url that base64 does not have.
  const payload = btoa(JSON.stringify({ id: '>>>???', exp }))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const db = await signInAs({}, `a.${payload}.c`);
  await push.subscribe(pushKey);
  await db.meta.put({ id: 'push-endpoint', value: push.endpoint() });
  state.push_subscriptions = 2;
  await openReminders();
  const channel = section().getByRole('region', { name: 'Push messages' });
  const end = 'until you are signed out here, at the latest on Nov 21, 2026, 9:00 AM.';
  await expect
    .element(channel.getByText(`2 devices of yours get them. This one gets them ${end}`))
    .toBeVisible();
  await expect.element(toggle('Push messages on this device')).toBeChecked();
});

test('a subscription that the push service has ended turns the switch off, and the screen says why', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await push.subscribe(pushKey);
  await db.meta.put({ id: 'push-endpoint', value: push.endpoint() });
  const problem =
    'The browser has ended its subscription. Please turn notifications on there again';
  Object.assign(state, { push_subscriptions: 0, push_subscribed: false });
  state.channels.push = { accepted_at: null, problem };
  await openReminders();
  const channel = section().getByRole('region', { name: 'Push messages' });
  await expect.element(channel.getByText(problem)).toBeVisible();
  await expect.element(toggle('Push messages on this device')).not.toBeChecked();
});

test('while push messages are off for the account, the screen says that no device gets them', async () => {
  fakePush({ permission: 'granted' });
  Object.assign(state, { push_enabled: false, push_subscriptions: 1 });
  await openReminders();
  const channel = section().getByRole('region', { name: 'Push messages' });
  await expect.element(channel.getByText('No device of yours gets them.')).toBeVisible();
  await expect.element(toggle('Push messages on this device')).not.toBeChecked();
});

test('the switch shows that this device is subscribed, even if the setting could not be saved', async () => {
  const push = fakePush({ permission: 'granted' });
  Object.assign(state, { push_key: pushKey, push_subscriptions: 1, push_subscribed: false });
  api.respond('PUT /api/push-subscription', () => {
    state = { ...state, push_subscribed: true };
    return { status: 200, json: {} };
  });
  api.respond(patch, 'unreachable');
  await openReminders();
  await toggle('Push messages on this device').click();
  const channel = section().getByRole('region', { name: 'Push messages' });
  await expect.element(channel.getByText(/No connection/)).toBeVisible();
  expect(push.endpoint()).not.toBeNull();
  await expect.element(toggle('Push messages on this device')).toBeChecked();
});

test('reminders that could not be loaded can be loaded again', async () => {
  api.respond(get, 'unreachable');
  await openApp('/dashboard/settings');
  await expect.element(section().getByText(/No connection/)).toBeVisible();
  api.respond(get, () => ({ status: 200, json: state }));
  await section().getByRole('button', { name: 'Try Again' }).click();
  await expect.element(toggle('Daily digest')).toBeVisible();
});

test('reminders are accessible and fit on the narrowest phone', async () => {
  await resizeScreen(320, 640);
  state.ntfy_url = `https://ntfy.sh/${'a-long-topic-'.repeat(12)}`;
  state.channels.ntfy = { accepted_at: null, problem: `No response from ${state.ntfy_url}` };
  await openReminders();
  await form('Time of the digest').getByLabelText('Time of the digest').fill('07:30');
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
  expect(sidewaysParts()).toEqual([]);
});

test('with forced colours a switch that is on differs from one that is off', async () => {
  await emulateMedia({ 'forced-colors': 'active' });
  await openReminders();
  const coloursOf = (name: string) => {
    const input = toggle(name).element();
    const [track, knob] = [getComputedStyle(input), getComputedStyle(input, '::before')];
    expect(knob.backgroundColor).not.toBe(track.backgroundColor);
    return track.backgroundColor;
  };
  expect(coloursOf('Daily digest')).not.toBe(coloursOf('Email'));
});
