import { expect, test } from 'vitest';
import { fetchResponding } from '../../../support/device/fetch-stub.ts';
import { signIn } from '../support/signed-in-page.ts';

const known = {
  id: 'a b',
  device_id: 'pot-1',
  created_at: '2026-11-20T08:00:00Z',
  last_used_at: null,
};
const device = {
  key: known.id,
  deviceId: known.device_id,
  createdAt: Date.parse(known.created_at),
  lastUsedAt: null,
};

test('the devices are requested with the token', async () => {
  const network = fetchResponding(200, [known]);
  const { devices } = await signIn(network.fetch);
  expect(await devices.loadDevices()).toEqual([device]);
  const [call] = network.calls;
  expect(call).toMatchObject({ url: '/api/device-tokens', init: { method: 'GET' } });
  expect(new Headers(call?.init.headers).get('authorization')).toBe('Bearer a.b.c');
});

test('a new device is sent with its id, and the response contains its secret', async () => {
  const network = fetchResponding(201, { ...known, token: 'sprig_x' });
  const { devices } = await signIn(network.fetch);
  expect(await devices.addDevice(' pot-1 ')).toEqual({ device, secret: 'sprig_x' });
  const [call] = network.calls;
  expect(call).toMatchObject({ url: '/api/device-tokens', init: { method: 'POST' } });
  expect(JSON.parse(String(call?.init.body))).toEqual({ device_id: 'pot-1' });
});

test('a response without the secret of the new device is an error', async () => {
  const { devices } = await signIn(fetchResponding(201, known).fetch);
  await expect(devices.addDevice('pot-1')).rejects.toMatchObject({
    message: 'Failed to add device',
    status: null,
  });
});

test('the request to remove a device has its percent-encoded id in the URL', async () => {
  const network = fetchResponding(200, { message: 'Device token revoked' });
  const { devices } = await signIn(network.fetch);
  await devices.removeDevice(device);
  expect(network.calls).toMatchObject([
    { url: '/api/device-tokens/a%20b', init: { method: 'DELETE' } },
  ]);
});
