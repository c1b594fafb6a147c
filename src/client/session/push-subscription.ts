import * as api from '#client/api/push-subscription.ts';
import { readPushEndpoint, storePushEndpoint } from '#client/store/meta.ts';
import { withPushLock } from '#client/store/push-lock.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { AccountError } from './account.ts';
import { dropPushSubscription, hasPushKey, pushRegistration } from './push-browser.ts';
import { reportSentOps } from './report-sent.ts';
import { getSession } from './session.ts';
import { asSignedIn } from './signed-in-call.ts';

/** Whether this browser can receive push messages, and whether it is subscribed for the signed-in account. */
export type PushSupport =
  /** `reason`: why not, and what the person can do about it, as a text to show. */
  { type: 'unavailable'; reason: string } | { type: 'available'; isSubscribed: boolean };

const reasons = {
  insecure:
    'Reminders on this device need a secure connection: open Sprig by an address that begins with https.',
  noWorker:
    'This browser cannot show reminders here. Leave private browsing, or use another browser.',
  notInstalled:
    'Add Sprig to your home screen first: tap Share, then Add to Home Screen. Then open it from there and come back.',
  noPush:
    'This browser cannot get push messages. Use another browser, or another way to be reminded.',
  denied:
    'Notifications are blocked for Sprig. Allow them for this site in the settings of the browser or of the phone, then come back.',
};

const failed = 'Failed to turn on reminders on this device';

/**
 * What to show in Settings. Never rejects, never asks for the permission and never calls the server. Call it again when
 * the person returns to the page.
 */
export async function pushSupport(): Promise<PushSupport> {
  const reason = unsupportedReason();
  if (reason !== null) return { type: 'unavailable', reason };
  return { type: 'available', isSubscribed: await isSubscribed().catch(() => false) };
}

/**
 * Subscribes this browser for the signed-in account. Unless the permission has already been granted, call it directly
 * in a click handler, because browsers ask for it only there. Does not change the setting `push_enabled`. Throws an
 * AccountError with the message to show.
 */
export async function subscribePush(): Promise<void> {
  const reason = unsupportedReason();
  if (reason !== null) throw new AccountError(null, reason);
  const permission = await Notification.requestPermission();
  if (permission === 'denied') throw new AccountError(null, reasons.denied);
  if (permission !== 'granted') {
    throw new AccountError(
      null,
      'Reminders on this device need your permission for notifications.',
    );
  }
  const db = currentDb();
  await withPushLock(() => subscribe(db));
}

/**
 * Ends this browser's subscription. Works without a network too: the push service then rejects the server's next
 * message.
 */
export async function unsubscribePush(): Promise<void> {
  await dropPushSubscription();
  const db = currentDb();
  if (!db || (await readPushEndpoint(db)) === null) return;
  await storePushEndpoint(db, null);
  await asSignedIn(api.deletePushSubscription, failed).catch(() => undefined);
}

/**
 * Renews the subscription for this session if the account had subscribed this browser before. It is needed because the
 * server ends a subscription with its session, and browsers may drop theirs without an event. Never rejects and never
 * asks for the permission.
 */
export async function renewPush(): Promise<void> {
  const db = currentDb();
  if (!db || unsupportedReason() !== null || Notification.permission !== 'granted') return;
  try {
    await withPushLock(async () => {
      if ((await readPushEndpoint(db)) !== null) await subscribe(db);
    });
  } catch (error) {
    console.warn('The push subscription was not renewed:', error);
  }
}

/**
 * The moment (ms) at which the session expires, and with it any push subscription. The server never extends a session.
 * Null if nobody is signed in or the token has no expiry.
 */
export function pushEnd(): number | null {
  const session = getSession();
  if (session.status !== 'signed-in') return null;
  const [, payload = ''] = session.token.split('.');
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { exp }: { exp?: unknown } = JSON.parse(text);
    return typeof exp === 'number' ? exp * 1_000 : null;
  } catch {
    return null;
  }
}

function unsupportedReason(): string | null {
  if (!window.isSecureContext) return reasons.insecure;
  if (!('serviceWorker' in navigator)) return reasons.noWorker;
  if (!('PushManager' in window) || !('Notification' in window)) {
    // An iPhone's browser supports push only in apps that were opened from the home screen.
    return navigator.standalone === false ? reasons.notInstalled : reasons.noPush;
  }
  return Notification.permission === 'denied' ? reasons.denied : null;
}

async function isSubscribed(): Promise<boolean> {
  const db = currentDb();
  const subscription = await (await pushRegistration())?.pushManager.getSubscription();
  if (!db || !subscription || Notification.permission !== 'granted') return false;
  return subscription.endpoint === (await readPushEndpoint(db));
}

/** Call it in `withPushLock`. `db`: of the account that asked for it; another one may have signed in meanwhile. */
async function subscribe(db: DeviceDb | null): Promise<void> {
  if (!db || currentDb() !== db) throw new AccountError(null, failed);
  reportSentOps(db);
  const registration = await pushRegistration();
  if (!registration) {
    throw new AccountError(
      null,
      'Sprig is not installed in this browser yet. Reload and try again.',
    );
  }
  const before = await readPushEndpoint(db);
  const known = await asSignedIn(api.fetchPushState, failed);
  const subscription = await browserSubscription(db, registration.pushManager, known);
  const payload = api.pushSubscriptionPayload(subscription, { account: db.name, before });
  await asSignedIn((call) => api.putPushSubscription(payload, call), failed);
  // The person may have signed out meanwhile.
  if (currentDb() !== db) await subscription.unsubscribe();
  else if (before !== null && (await readPushEndpoint(db)) === null)
    await unsubscribeLate(subscription);
  else await storePushEndpoint(db, subscription.endpoint);
}

/**
 * For push messages that were turned off during the renewal: the server may have stored the subscription again after
 * deleting it.
 */
async function unsubscribeLate(subscription: PushSubscription): Promise<void> {
  await subscription.unsubscribe();
  await asSignedIn(api.deletePushSubscription, failed).catch(() => undefined);
}

/**
 * The browser's subscription if this account made it with this key. Otherwise ends it, because a browser has only one,
 * and makes a new one. Also replaces a subscription that the server does not have: the server deletes one that the push
 * service has ended, which the browser does not notice.
 */
async function browserSubscription(
  db: DeviceDb,
  manager: PushManager,
  { key, isSubscribed }: api.PushState,
): Promise<PushSubscription> {
  const existing = await manager.getSubscription();
  if (existing) {
    const isOwn = existing.endpoint === (await readPushEndpoint(db));
    if (isOwn && isSubscribed !== false && hasPushKey(existing, key)) return existing;
    await existing.unsubscribe();
  }
  const subscribing = manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return Promise.race([subscribing, rejectLate()]).catch((error: unknown) => {
    console.warn('Failed to subscribe:', error);
    throw new AccountError(
      null,
      'The push service of this browser cannot be reached. Try again later.',
    );
  });
}

/**
 * How long the browser may take to subscribe. A browser whose push service is blocked by the network may try for
 * minutes, during which other tabs wait for the lock. The next attempt replaces a subscription that it gets later.
 */
const subscribeTimeoutMs = 30_000;

function rejectLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The browser has not answered')), subscribeTimeoutMs);
  });
}

function currentDb(): DeviceDb | null {
  const session = getSession();
  return session.status === 'signed-in' ? session.db : null;
}
