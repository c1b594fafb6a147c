import { createPublicKey } from 'node:crypto';
import type { ErrorDetail } from '#contract/errors.ts';
import type { PushSubscriptionPayload } from '#contract/settings/reminders.ts';

const knownHosts = new Set([
  'fcm.googleapis.com',
  'android.googleapis.com',
  'updates.push.services.mozilla.com',
]);
const knownDomains = ['.push.apple.com', '.notify.windows.com', '.wns.windows.com'];

/**
 * Whether messages may be sent to a subscription's endpoint. Endpoints are untrusted input: without a list of known
 * push services, anybody could make the server send requests to any machine. `origins`: further push services.
 */
export function isPushEndpoint(endpoint: string, origins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '') return false;
  if (origins.includes(url.origin)) return true;
  if (url.protocol !== 'https:' || url.port !== '') return false;
  const { hostname } = url;
  return knownHosts.has(hostname) || knownDomains.some((domain) => hostname.endsWith(domain));
}

/** What is wrong with a subscription, for the error response; null if it can be used. */
export function subscriptionProblem(
  { endpoint, keys }: PushSubscriptionPayload,
  origins: readonly string[],
): ErrorDetail | null {
  if (!isPushEndpoint(endpoint, origins)) {
    return { loc: ['body', 'endpoint'], msg: 'Not the URL of a known push service' };
  }
  if (!isPoint(Buffer.from(keys.p256dh, 'base64url'))) {
    return { loc: ['body', 'keys', 'p256dh'], msg: 'Not a public key of the curve P-256' };
  }
  const isSecret = Buffer.from(keys.auth, 'base64url').length === 16;
  return isSecret ? null : { loc: ['body', 'keys', 'auth'], msg: 'Must have 16 bytes' };
}

/** Whether these bytes are an uncompressed point of the curve P-256. */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const coordinate = (from: number) => bytes.subarray(from, from + 32).toString('base64url');
  const key = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
