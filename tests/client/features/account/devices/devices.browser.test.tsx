import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { DeviceToken } from '#contract/device-tokens.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import { announced } from '../../../../support/component/garden.ts';
import { type OpenApp, openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { deferred } from '../../../../support/deferred.ts';

const list = 'GET /api/device-tokens';
const create = 'POST /api/device-tokens';
const secret = 'sprig_0123456789abcdef';

let api: FakeApi;
let tokens: DeviceToken[];
beforeEach(async () => {
  api = fakeApi();
  tokens = [];
  api.respond(list, () => ({ status: 200, json: tokens }));
  await signInAs();
});

const sheet = () => page.getByRole('dialog', { name: 'Devices' });
const idField = () => sheet().getByLabelText('Device ID');
const device = (id: string) => sheet().getByRole('listitem').filter({ hasText: id });
const offline = () => sheet().getByText('Devices need a network connection.');

function token(id: string): DeviceToken {
  return {
    id: `token-of-${id}`,
    device_id: id,
    created_at: '2026-11-01T08:00:00Z',
    last_used_at: null,
  };
}

async function openDevices(): Promise<OpenApp> {
  const app = await openApp('/dashboard/analytics');
  await button('User menu').click();
  await button('Devices').click();
  await expect.element(sheet()).toBeVisible();
  // The menu would be above the sheet.
  await expect.element(page.getByText('Sign Out')).not.toBeVisible();
  return app;
}

async function addDevice(id: string, place: Locator = sheet()): Promise<void> {
  api.respond(create, () => {
    tokens = [token(id), ...tokens];
    return { status: 201, json: { ...token(id), token: secret } };
  });
  await place.getByLabelText('Device ID').fill(id);
  await button('Add device').click();
  await expect.element(place.getByText('it will not be shown again')).toBeVisible();
}

test('cancelling the removal of a device keeps it and returns the focus', async () => {
  tokens = [token('pot-1')];
  await openDevices();
  await button('Remove pot-1').click();
  await expect.element(button('Keep')).toHaveFocus();
  await button('Keep').click();
  await expect.element(button('Remove pot-1')).toHaveFocus();
  expect(api.calls.map(({ route }) => route)).toEqual([list]);
});

test('removing a device asks first, is announced, and moves the focus to the heading of the list', async () => {
  tokens = [token('pot-1')];
  await openDevices();
  await button('Remove pot-1').click();
  api.respond('DELETE /api/device-tokens/token-of-pot-1', { status: 200, json: {} });
  await button('Remove device').click();
  await expect.element(sheet().getByText('No devices yet')).toBeVisible();
  await expect.poll(announced).toBe('pot-1 removed');
  await expect.element(page.getByRole('heading', { name: 'Your devices' })).toHaveFocus();
});

test('while a device is being removed, it cannot be kept, and the failure of an earlier try is hidden', async () => {
  tokens = [token('pot-1')];
  await openDevices();
  await button('Remove pot-1').click();
  await button('Remove device').click();
  await expect.element(offline()).toBeVisible();
  const { promise, resolve } = deferred();
  api.respond('DELETE /api/device-tokens/token-of-pot-1', async () => {
    await promise;
    return { status: 200, json: {} };
  });
  await button('Remove device').click();
  await expect.element(button('Removing...')).toBeVisible();
  await expect.element(button('Keep')).toBeDisabled();
  await expect.element(offline()).not.toBeInTheDocument();
  resolve();
  await expect.element(device('pot-1')).not.toBeInTheDocument();
});

test('the secret, and a command that uses it, can be copied, and copying is announced', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openDevices();
  await addDevice('pot-1');
  await button('Copy secret').click();
  await expect.poll(announced).toBe('Secret copied');
  expect(write).toHaveBeenLastCalledWith(secret);
  await button('Copy command').click();
  await expect.poll(announced).toBe('Command copied');
  const [command] = write.mock.lastCall ?? [];
  expect(command).toContain(`${window.location.origin}/api/logs`);
  expect(command).toContain(secret);
});

test('closing the sheet with a secret that was not copied asks first', async () => {
  const app = await openApp('/dashboard/analytics?devices=1');
  await addDevice('pot-1');
  await userEvent.keyboard('{Escape}');
  await button('Back to the secret').click();
  await expect.element(sheet().getByText(secret, { exact: true })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('Leave').click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/analytics');
});

test('closing the sheet with a secret that was selected and copied by hand does not ask', async () => {
  const app = await openApp('/dashboard/analytics?devices=1');
  await addDevice('pot-1');
  getSelection()?.selectAllChildren(sheet().getByText(secret, { exact: true }).element());
  await userEvent.keyboard('{Control>}c{/Control}{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/analytics');
});

test('the secret of a new device disappears when the device is removed, and closing the sheet does not ask', async () => {
  const app = await openApp('/dashboard/analytics?devices=1');
  await addDevice('pot-1');
  api.respond('DELETE /api/device-tokens/token-of-pot-1', { status: 200, json: {} });
  await button('Remove pot-1').click();
  await button('Remove device').click();
  await expect.element(sheet().getByText('No devices yet')).toBeVisible();
  await expect.element(idField()).toBeVisible();
  expect(sheet().getByText(secret, { exact: true }).elements()).toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/analytics');
});

test('leaving the screen right after the secret of a removed device disappears does not ask', async () => {
  const app = await openApp('/dashboard/settings');
  await addDevice('pot-1', page.getByRole('main'));
  // The observer runs right after React's commit, before the effects that run after the paint.
  const observer = new MutationObserver(() => {
    if (document.body.textContent?.includes(secret)) return;
    observer.disconnect();
    void app.navigate('/dashboard/analytics');
  });
  onTestFinished(() => observer.disconnect());
  observer.observe(document.body, { subtree: true, childList: true });
  // The device is removed on another one, and the list is loaded again.
  tokens = [];
  window.dispatchEvent(new Event('online'));
  await expect.poll(app.url).toBe('/dashboard/analytics');
});

test('closing the sheet while a device is being added asks first, and the secret is shown to a person who stays', async () => {
  const added = deferred();
  api.respond(create, async () => {
    await added.promise;
    tokens = [token('pot-1')];
    return { status: 201, json: { ...token('pot-1'), token: secret } };
  });
  await openApp('/dashboard/analytics?devices=1');
  await idField().fill('pot-1');
  await button('Add device').click();
  await expect.element(button('Adding...')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('Back to the secret').click();
  added.resolve();
  await expect.element(sheet().getByText(secret, { exact: true })).toBeVisible();
});

test.each([
  ['/dashboard/analytics?devices=1', '/dashboard/analytics'],
  ['/dashboard/settings', '/dashboard/analytics'],
])('leaving %s with a secret that was not copied asks first', async (from, to) => {
  const app = await openApp(from);
  await addDevice('pot-1', page.getByRole('main').or(sheet()));
  void app.navigate(to);
  await button('Back to the secret').click();
  expect(app.url()).toBe(from);
  void app.navigate(to);
  await button('Leave').click();
  await expect.poll(app.url).toBe(to);
});

test.each([
  ['/dashboard/analytics?devices=1', '/dashboard/analytics'],
  ['/dashboard/settings', '/dashboard/analytics'],
])('leaving %s with a typed Device ID asks first, and Keep editing keeps it', async (from, to) => {
  const app = await openApp(from);
  const typed = page.getByRole('main').or(sheet()).getByLabelText('Device ID');
  await typed.fill('pot-1');
  void app.navigate(to);
  await expect.element(page.getByRole('dialog', { name: 'Discard changes?' })).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await button('Keep editing').click();
  await expect.element(typed).toHaveValue('pot-1');
  expect(app.url()).toBe(from);
  void app.navigate(to);
  await button('Discard').click();
  await expect.poll(app.url).toBe(to);
});

test('shows an error if loading or adding a device fails; Try Again loads the devices, and the typed ID is kept', async () => {
  api.respond(list, 'unreachable');
  await openDevices();
  await expect.element(offline()).toBeVisible();
  api.respond(list, { status: 200, json: [] });
  await button('Try Again').click();
  await idField().fill('pot-1');
  api.respond(create, 'unreachable');
  await button('Add device').click();
  await expect.element(offline()).toBeVisible();
  await expect.element(idField()).toHaveValue('pot-1');
});

test('the list in the settings shows what was changed in the sheet above it', async () => {
  tokens = [token('pot-1')];
  await openApp('/dashboard/settings');
  const section = page.getByRole('region', { name: 'Devices', exact: true });
  await expect.element(section.getByText('pot-1')).toBeVisible();
  await button('User menu').click();
  await button('Devices').click();
  await addDevice('pot-2');
  await sheet().getByRole('button', { name: 'Done' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet()).not.toBeInTheDocument();
  await expect.element(section.getByText('pot-2')).toBeVisible();
});

test('the secret in the settings disappears when its device is removed in the sheet above it', async () => {
  const app = await openApp('/dashboard/settings');
  const section = page.getByRole('region', { name: 'Devices', exact: true });
  await addDevice('pot-1', section);
  await button('User menu').click();
  await button('Devices').click();
  api.respond('DELETE /api/device-tokens/token-of-pot-1', () => {
    tokens = [];
    return { status: 200, json: {} };
  });
  await sheet().getByRole('button', { name: 'Remove pot-1' }).click();
  await button('Remove device').click();
  await expect.element(sheet().getByText('No devices yet')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(section.getByText('No devices yet')).toBeVisible();
  await expect.element(section.getByText(secret, { exact: true })).not.toBeInTheDocument();
  await app.navigate('/dashboard/analytics');
  expect(app.url()).toBe('/dashboard/analytics');
});

test('devices are loaded automatically when the network is back', async () => {
  api.respond(list, 'unreachable');
  await openDevices();
  await expect.element(offline()).toBeVisible();
  api.respond(list, { status: 200, json: [] });
  window.dispatchEvent(new Event('online'));
  await expect.element(sheet().getByText('No devices yet')).toBeVisible();
});

test('the devices sheet is accessible and fits on a screen 320 pixels wide', async () => {
  await resizeScreen(320, 640);
  await openDevices();
  await button('Add device').click();
  await expect.element(sheet().getByText('Device ID is required')).toBeVisible();
  await expect
    .element(sheet().getByLabelText('Device ID'))
    .toHaveAccessibleDescription(/^Device ID is required .*same Device ID/);
  expect(await violationsInBothThemes()).toEqual([]);
  const long = 'a-rather-long-device-id-of-the-kind-that-makers-print-on-boxes-0123456789';
  await addDevice(long);
  await device(long).getByRole('button').click();
  expect(await violationsInBothThemes()).toEqual([]);
  expect(tooSmallOrTooWide(sheet().element())).toEqual([]);
});

/** Touch targets of the sheet that are too small, and elements that make it scroll sideways. */
function tooSmallOrTooWide(root: Element): string[] {
  return [...root.querySelectorAll('*')]
    .filter((element) => {
      const { width, height, right } = element.getBoundingClientRect();
      const isTapped = element.matches('button, input') && (width < 44 || height < 44);
      return isTapped || right > window.innerWidth;
    })
    .map((element) => element.outerHTML.slice(0, 80));
}

test('adding a device in an ended session leads to sign-in', async () => {
  const app = await openDevices();
  api.respond(create, { status: 401, json: { message: 'Authentication required' } });
  await idField().fill('pot-late');
  await button('Add device').click();
  await expect.element(page.getByText('Authentication required')).toBeVisible();
  expect(app.url()).toMatch(/^\/signin/);
});
