import { expect, test } from 'vitest';
import { putRows } from '../support/phone/device-db.ts';
import { changeSubscription } from '../support/phone/push-worker.ts';
import { setUp } from '../support/set-up.ts';

test('the service worker renews a subscription that the browser has replaced or dropped', async () => {
  const { server, phone, close } = await setUp('/dashboard');
  const names = await phone.page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? ''),
  );
  const account = names.find((name) => name.startsWith('sprig-'));
  const subscriptions = () => server.query('SELECT endpoint, account FROM push_subscriptions');
  const [first, second, third] = ['a', 'b', 'c'].map(
    (name) => `https://fcm.googleapis.com/${name}`,
  );
  await putRows(phone.page, 'meta', [{ id: 'push-endpoint', value: first }]);
  await changeSubscription(phone, { old: first, replacement: second });
  await expect.poll(subscriptions).toEqual([{ endpoint: second, account }]);
  // Dropped without a replacement: the worker subscribes again, with the same key.
  await changeSubscription(phone, { old: second, subscribed: third });
  await expect.poll(subscriptions).toEqual([{ endpoint: third, account }]);
  // Simulates that another account has used this browser: the old endpoint is not the stored one, so nothing is sent.
  await changeSubscription(phone, { old: first, replacement: second });
  expect(await subscriptions()).toEqual([{ endpoint: third, account }]);
  await close();
});
