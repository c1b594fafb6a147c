import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import net from 'node:net';
import type { Message } from '../message.ts';
import { post, resultOf, type SendResult, unreachable } from './post.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface NtfyOptions {
  now: Date;
  publicUrl: string;
  allowsPrivateNtfy: boolean;
  signal: AbortSignal;
  resolve?: Resolve;
}

const service = 'ntfy server';

/**
 * Publishes a message to an ntfy topic. The URL is untrusted input: the request goes to the IP addresses that were
 * checked, even if the name resolves to others a moment later, and it follows no redirect. Never rejects.
 */
export async function sendNtfy(
  message: Message,
  topicUrl: string,
  options: NtfyOptions,
): Promise<SendResult> {
  const { now, publicUrl, allowsPrivateNtfy, signal, resolve = resolveAll } = options;
  try {
    const url = new URL(topicUrl);
    const addresses = await rejectOnAbort(signal, resolve(url.hostname.replace(/^\[|\]$/g, '')));
    const isPrivate = addresses.some(({ address }) => isPrivateAddress(address));
    if (isPrivate && !allowsPrivateNtfy) return refused;
    const authorization = authorizationOf(url);
    const response = await post(withoutCredentials(url), {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        title: headerText(message.title),
        priority: message.kind === 'alert' ? 'high' : 'default',
        tags: message.kind === 'alert' ? 'warning' : 'seedling',
        click: `${publicUrl}${message.path}`,
        ...(authorization && { authorization }),
      },
      body: message.body,
      signal,
      addresses,
    });
    return resultOf(response, service, now);
  } catch {
    return unreachable(service);
  }
}

const refused: SendResult = {
  type: 'rejected',
  status: null,
  problem:
    'The address of the ntfy topic is in a private network, to which this server may not send',
};

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}

/** Ends waiting for `work` when the signal aborts, because a DNS lookup has no timeout of its own. */
async function rejectOnAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return await new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const pair = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Decodes percent-encoding. If it is malformed, the person has typed a literal percent sign, so the text is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutCredentials(url: URL): string {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy.href;
}

/** Headers are limited to ASCII, so other text is sent as an RFC 2047 encoded word, which ntfy decodes. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** IP ranges that are not on the public Internet, and the IPv6 ranges that embed IPv4 addresses. */
const ranges = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;

/** One list for each IP version, because a common list would also match IPv4 addresses with the range ::ffff:0:0/96. */
const blocked = { ipv4: new net.BlockList(), ipv6: new net.BlockList() };
for (const [address, bits] of ranges) {
  const version = net.isIPv6(address) ? 'ipv6' : 'ipv4';
  blocked[version].addSubnet(address, bits, version);
}

/** Whether an IP address is in one of the ranges above. Also true for a text that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  const [ip = ''] = address.split('%');
  if (net.isIPv4(ip)) return blocked.ipv4.check(ip, 'ipv4');
  return !net.isIPv6(ip) || blocked.ipv6.check(ip, 'ipv6');
}
