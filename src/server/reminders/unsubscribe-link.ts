import { createHmac, timingSafeEqual } from 'node:crypto';
import { reminderPaths } from '#contract/settings/reminders.ts';
import { accountIn, defaultBytes, tokenFor } from '../accounts/token.ts';

/**
 * The token of an account's unsubscribe link. It contains the account's id, as a device token does. It is derived from
 * a key of the server and not stored, so that the links in all earlier emails stay valid.
 */
export function unsubscribeToken(key: string, userId: string): string {
  const secret = createHmac('sha256', key).update(`mail ${userId}`).digest();
  return tokenFor(userId, secret.subarray(0, defaultBytes));
}

/** The account that an unsubscribe token belongs to; null if this server did not generate it. */
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
