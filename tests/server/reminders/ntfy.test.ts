import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPrivateAddress, type NtfyOptions, sendNtfy } from '#server/reminders/channels/ntfy.ts';
import type { Message } from '#server/reminders/message.ts';
import { openPushService, type PushService } from '../../support/reminders/push-service.ts';

let service: PushService;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());

const message: Message = {
  kind: 'digest',
  title: 'Monty needs water',
  body: 'Open the schedule.',
  tag: 'due-2026-11-20',
  path: '/dashboard/schedule',
  badge: 1,
  plants: [],
  until: 0,
  quiet: null,
};

function send(url: string, changes: Partial<NtfyOptions> = {}, part: Partial<Message> = {}) {
  return sendNtfy({ ...message, ...part }, url, {
    now: new Date(0),
    publicUrl: 'https://plants.example.org',
    allowsPrivateNtfy: true,
    signal: AbortSignal.timeout(5_000),
    ...changes,
  });
}

const last = () => service.received.at(-1);

test('publishes title, text and the screen to open', async () => {
  expect(await send(`${service.origin}/garden`)).toEqual({ type: 'accepted' });
  expect(last()).toMatchObject({
    path: '/garden',
    headers: {
      title: 'Monty needs water',
      priority: 'default',
      tags: 'seedling',
      click: 'https://plants.example.org/dashboard/schedule',
    },
  });
  expect(last()?.body.toString()).toBe('Open the schedule.');
});

test('a name with any characters reaches the title unchanged, and a line break in it adds no header', async () => {
  const title = 'Möhre 🥕\r\nX-Evil: 1 needs water';
  await send(`${service.origin}/garden`, {}, { title, kind: 'alert' });
  const [, encoded = ''] = /^=\?UTF-8\?B\?(.+)\?=$/.exec(String(last()?.headers.title)) ?? [];
  expect(Buffer.from(encoded, 'base64').toString()).toBe(title);
  expect(last()?.headers).toMatchObject({ priority: 'high', tags: 'warning' });
  expect(last()?.headers).not.toHaveProperty('x-evil');
});

test('credentials of the URL are sent as a header only', async () => {
  await send(`${service.origin.replace('//', '//me:s%40crt@')}/garden`);
  const authorization = `Basic ${Buffer.from('me:s@crt').toString('base64')}`;
  expect(last()).toMatchObject({ path: '/garden', headers: { authorization } });
});

test('a password with a percent sign is sent as it was entered', async () => {
  await send(`${service.origin.replace('//', '//me:50%off@')}/garden`);
  const authorization = `Basic ${Buffer.from('me:50%off').toString('base64')}`;
  expect(last()).toMatchObject({ path: '/garden', headers: { authorization } });
});

test.each(['127.0.0.1', '[::1]', '10.1.2.3', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0'])(
  'never sends to %s unless private networks are allowed',
  async (host) => {
    const before = service.received.length;
    const port = new URL(service.origin).port;
    const result = await send(`http://${host}:${port}/garden`, { allowsPrivateNtfy: false });
    expect(result).toMatchObject({ type: 'rejected', status: null });
    expect(service.received).toHaveLength(before);
  },
);

test('a host name is refused if any of its IP addresses is private', async () => {
  const addresses = ['8.8.8.8', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const resolve = async () => addresses;
  const result = await send('http://rebind.example/x', { allowsPrivateNtfy: false, resolve });
  expect(result).toMatchObject({ type: 'rejected', problem: expect.stringContaining('private') });
});

test('the request goes to the IP address that was checked, and the host name is resolved once', async () => {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const { port } = new URL(service.origin);
  expect(await send(`http://ntfy.invalid:${port}/pinned`, { resolve })).toEqual({
    type: 'accepted',
  });
  expect(asked).toEqual(['ntfy.invalid']);
  expect(last()).toMatchObject({ path: '/pinned', headers: { host: `ntfy.invalid:${port}` } });
});

test('does not follow a redirect', async () => {
  service.respond('/moved', { status: 307, headers: { location: `${service.origin}/inside` } });
  expect(await send(`${service.origin}/moved`)).toMatchObject({ type: 'rejected', status: 307 });
  expect(last()?.path).toBe('/moved');
});

test('a request to a host name that is never resolved ends at the timeout', async () => {
  const resolve = () => new Promise<never>(() => undefined);
  const result = await send('http://slow.example/x', { resolve, signal: AbortSignal.timeout(10) });
  expect(result).toMatchObject({ type: 'failed', status: null });
});

test.each([
  ['0.0.0.0', true],
  ['9.255.255.255', false],
  ['10.0.0.0', true],
  ['100.64.0.1', true],
  ['127.255.255.255', true],
  ['169.254.169.254', true],
  ['172.15.255.255', false],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['192.168.1.1', true],
  ['224.0.0.1', true],
  ['255.255.255.255', true],
  ['8.8.8.8', false],
  ['::', true],
  ['::1', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::a00:1', true],
  ['2002:a00:1::', true],
  ['fd00::1', true],
  ['fe80::1%eth0', true],
  ['fec0::1', true],
  ['2606:4700:4700::1111', false],
  ['localhost', true],
  ['', true],
])('%s is private: %s', (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});
