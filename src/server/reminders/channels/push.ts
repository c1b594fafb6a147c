import { createHash } from 'node:crypto';
import webPush from 'web-push';
import { hourMs } from '#domain/time.ts';
import { type Message, pushMessage } from '../message.ts';
import type { VapidKeys } from '../server-keys.ts';
import { post, resultOf, type SendResult, unreachable } from './post.ts';
import { isPushEndpoint } from './push-endpoint.ts';

export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
  account: string;
}

export interface PushOptions {
  now: Date;
  publicUrl: string;
  vapid: VapidKeys;
  contact: string;
  pushOrigins: readonly string[];
  signal: AbortSignal;
}

const service = 'push service';

/** Sends a message to one browser, encrypted for it. Never rejects. */
export async function sendPush(
  message: Message,
  { endpoint, p256dh, auth, account }: PushTarget,
  options: PushOptions,
): Promise<SendResult> {
  const { now, publicUrl, pushOrigins, signal } = options;
  if (!isPushEndpoint(endpoint, pushOrigins)) return { type: 'gone' };
  const payload = JSON.stringify(pushMessage(message, account, publicUrl));
  // With a TTL of 0, a push service drops the message if the device is offline, and Apple's rejects it.
  const ttl = Math.max(1, Math.ceil((keptUntil(message, now) - now.getTime()) / 1_000));
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payload,
      {
        TTL: ttl,
        urgency: message.kind === 'alert' ? 'high' : 'normal',
        topic: topicOf(message),
        contentEncoding: 'aes128gcm',
      },
    );
    const authorization = authorizationFor(new URL(endpoint).origin, options);
    const response = await post(endpoint, {
      headers: { ...headers, authorization },
      body: body ?? '',
      signal,
    });
    if (response.status === 404 || response.status === 410) return { type: 'gone' };
    return resultOf(response, service, now);
  } catch {
    return unreachable(service);
  }
}

/**
 * The time (ms) until which a push service keeps a message for a device that is offline. A digest must not arrive in
 * the quiet hours: plants that are still due after them are in the next digest. An alert comes only once, so it may
 * arrive late.
 */
function keptUntil({ kind, until, quiet }: Message, now: Date): number {
  const isQuietLater = kind === 'digest' && quiet !== null && quiet[0] > now.getTime();
  return isQuietLater ? Math.min(until, quiet[0]) : until;
}

/** The Topic header: a message replaces an undelivered one with the same topic. At most 32 characters of base64url. */
function topicOf({ tag }: Message): string {
  return createHash('sha256').update(tag).digest('base64url').slice(0, 32);
}

/** Apple asks senders to reuse a token for about an hour or longer. The library's tokens are valid for 12 h. */
const tokenAgeMs = 6 * hourMs;
const tokens = new Map<string, { authorization: string; madeAt: number }>();
const maxTokens = 1_000;

/** The Authorization header for a push service, which identifies this server. Renewed every six hours. */
function authorizationFor(origin: string, { now, vapid, contact }: PushOptions): string {
  const at = now.getTime();
  const key = `${origin} ${vapid.publicKey} ${contact}`;
  const known = tokens.get(key);
  if (known && Math.abs(at - known.madeAt) < tokenAgeMs) return known.authorization;
  const { Authorization: authorization } = webPush.getVapidHeaders(
    origin,
    contact,
    vapid.publicKey,
    vapid.privateKey,
    'aes128gcm',
  );
  if (tokens.size >= maxTokens) tokens.clear();
  tokens.set(key, { authorization, madeAt: at });
  return authorization;
}
