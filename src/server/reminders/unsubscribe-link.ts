import { createHmac, timingSafeEqual } from 'node:crypto';
import { reminderPaths } from '#contract/settings/reminders.ts';
import { accountIn, defaultBytes, tokenFor } from '../accounts/token.ts';

/**
 * The secret of an account's unsubscribe link, which names the account like a device token. Derived from a key of the
 * server instead of stored, so that the links in all earlier emails stay valid.
 */
export function unsubscribeToken(key: string, userId: string): string {
  const secret = createHmac('sha256', key).update(`mail ${userId}`).digest();
  return tokenFor(userId, secret.subarray(0, defaultBytes));
}

/** The account whose emails a link ends; null if the link is not from this server. */
export function accountOfLink(key: string, token: string): string | null {
  const userId = accountIn(token);
  if (userId === null) return null;
  const expected = Buffer.from(unsubscribeToken(key, userId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected) ? userId : null;
}

export function unsubscribeUrl(publicUrl: string, key: string, userId: string): string {
  return `${publicUrl}${reminderPaths.unsubscribe}?token=${unsubscribeToken(key, userId)}`;
}
