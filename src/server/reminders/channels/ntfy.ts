import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { Message } from '../message.ts';
import { post, resultOf, type SendResult, unreachable } from './post.ts';
import { isPrivateAddress } from './private-address.ts';

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
    const addresses = await before(signal, resolve(url.hostname.replace(/^\[|\]$/g, '')));
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
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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
