import { expect, test } from 'vitest';
import {
  createDeviceToken,
  deleteDeviceToken,
  fetchDeviceTokens,
} from '#client/api/device-tokens.ts';
import { fetchResponding } from '../../support/device/fetch-stub.ts';

const known = {
  id: 'a b',
  device_id: 'pot-1',
  created_at: '2026-11-20T08:00:00Z',
  last_used_at: null,
};

test('the devices are requested with the token', async () => {
  const network = fetchResponding(200, [known]);
  expect(await fetchDeviceTokens({ ...network, token: 'a.b.c' })).toEqual([known]);
  const [call] = network.calls;
  expect(call).toMatchObject({ url: '/api/device-tokens', init: { method: 'GET' } });
  expect(new Headers(call?.init.headers).get('authorization')).toBe('Bearer a.b.c');
});

test('a new device is sent with its id, and the response contains its secret', async () => {
  const network = fetchResponding(201, { ...known, token: 'sprig_x' });
  expect((await createDeviceToken('pot-1', network)).token).toBe('sprig_x');
  const [call] = network.calls;
  expect(call).toMatchObject({ url: '/api/device-tokens', init: { method: 'POST' } });
  expect(JSON.parse(String(call?.init.body))).toEqual({ device_id: 'pot-1' });
});

test('a response without the secret of the new device is an error', async () => {
  await expect(createDeviceToken('pot-1', fetchResponding(201, known))).rejects.toMatchObject({
    message: 'Failed to add device',
    status: null,
  });
});

test('the request to remove a device has its percent-encoded id in the URL', async () => {
  const network = fetchResponding(200, { message: 'Device token revoked' });
  await deleteDeviceToken(known.id, network);
  expect(network.calls).toMatchObject([
    { url: '/api/device-tokens/a%20b', init: { method: 'DELETE' } },
  ]);
});
