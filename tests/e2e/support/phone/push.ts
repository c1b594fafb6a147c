import { createECDH, randomBytes } from 'node:crypto';
import type { CDPSession } from 'playwright';
import type { PushMessage } from '#contract/settings/reminders.ts';
import { appUrl, type Phone } from './browser.ts';

/** A notification as the browser shows it. */
export interface ShownNotification {
  title: string;
  body: string;
  /** Whether the phone neither sounds nor vibrates when it is shown. */
  isSilent: boolean;
  actions: string[];
}

export interface PushService {
  /** Delivers a payload to the service worker, as the browser's push service does. */
  deliver: (payload: string) => Promise<void>;
  close: () => Promise<void>;
}

/** Dispatches real push events through DevTools, without a push service or a network. */
export async function openPushService(phone: Phone): Promise<PushService> {
  const cdp = await phone.context.newCDPSession(phone.page);
  const registrationId = await registrationOf(cdp);
  return {
    deliver: async (data) => {
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: appUrl,
        registrationId,
        data,
      });
    },
    close: () => cdp.detach(),
  };
}

/** The id of the registration, once its worker is activated and can get messages. */
async function registrationOf(cdp: CDPSession): Promise<string> {
  const activated = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const ours = versions.find(
        ({ scriptURL, status }) => scriptURL.startsWith(appUrl) && status === 'activated',
      );
      if (ours) resolve(ours.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return activated;
}

/** A digest of these plants, all of them due, in the server's format. */
export function digest(
  account: string,
  plants: { id: string; name: string }[],
  tag = 'due-2026-11-23',
): string {
  const names = plants.map(({ name }) => name);
  const message: PushMessage = {
    web_push: 8030,
    notification: {
      title: `${names.length} plants need water`,
      body: names.join(', '),
      navigate: 'https://plants.example.org/dashboard/schedule',
      lang: 'en',
      tag,
      app_badge: names.length,
      data: { kind: 'digest', account, plants },
    },
  };
  return JSON.stringify(message);
}

/** The notifications that are shown now. */
export function shownNotifications(phone: Phone): Promise<ShownNotification[]> {
  return phone.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all: (Notification & { actions?: { title: string }[] })[] =
      await registration.getNotifications();
    return all.map(({ title, body, silent, actions = [] }) => ({
      title,
      body,
      isSilent: silent === true,
      actions: actions.map((action) => action.title),
    }));
  });
}

export async function closeNotifications(phone: Phone): Promise<void> {
  await phone.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
  });
}

/** Replaces PushManager in all pages, as tests reach no push service. Returns the endpoint of new subscriptions. */
export async function fakePushService(phone: Phone): Promise<string> {
  const endpoint = 'https://fcm.googleapis.com/fcm/send/phone-1';
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  await phone.context.addInitScript(
    (subscription) => {
      let current: PushSubscription | null = null;
      PushManager.prototype.getSubscription = async () => current;
      PushManager.prototype.subscribe = async () => {
        const made: PushSubscription = Object.assign(Object.create(PushSubscription.prototype), {
          toJSON: () => subscription,
          unsubscribe: async () => {
            current = null;
            return true;
          },
        });
        current = made;
        return made;
      };
      Object.defineProperty(PushSubscription.prototype, 'endpoint', {
        get: () => subscription.endpoint,
      });
    },
    { endpoint, keys: { p256dh, auth } },
  );
  return endpoint;
}
