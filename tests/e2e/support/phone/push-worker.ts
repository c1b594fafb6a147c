import { createECDH, randomBytes } from 'node:crypto';
import type { Worker } from 'playwright';
import type { Phone } from './browser.ts';

/**
 * The parts of a service worker's global scope that tests use. The standard types for it conflict with those of a page.
 */
interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  clients: {
    openWindow: (url: string) => Promise<null>;
    matchAll: (options: object) => Promise<object[]>;
  };
  WindowClient: { prototype: { url: string } };
  navigator: object;
  badges?: number[];
  displayed?: number;
  NotificationEvent: new (
    type: string,
    init: { notification: Notification; action: string },
  ) => ExtendableEvent;
  ExtendableEvent: new (type: string) => ExtendableEvent;
}

interface ExtendableEvent extends Event {
  waitUntil: (work: unknown) => void;
}

/**
 * Dispatches `times` clicks on the first notification: on its button `action`, or on its text if `action` is empty.
 * Waits until all are handled. Returns what the worker did with windows, e.g. 'open /dashboard': `openWindow` and `focus`
 * are replaced, because they need a real tap.
 */
export async function tapNotification(
  phone: Phone,
  action: 'water' | '',
  times = 1,
): Promise<string[]> {
  return workerOf(phone).evaluate(
    async ([name, count]) => {
      const scope = self as unknown as WorkerScope;
      const done: string[] = [];
      const openWindow = async (url: string) => {
        done.push(`open ${url}`);
        return null;
      };
      async function focus(this: { url: string }) {
        done.push(`focus ${new URL(this.url).pathname}`);
        return this;
      }
      Object.defineProperty(scope.clients, 'openWindow', { value: openWindow, configurable: true });
      Object.defineProperty(scope.WindowClient.prototype, 'focus', {
        value: focus,
        configurable: true,
      });
      const [notification] = await scope.registration.getNotifications();
      if (!notification) throw new Error('No notification is shown');
      const handled: Promise<unknown>[] = [];
      for (let tap = 0; tap < count; tap += 1) {
        const event = new scope.NotificationEvent('notificationclick', {
          notification,
          action: name,
        });
        // The original waitUntil throws for an event that was not dispatched by the browser.
        event.waitUntil = (work) => void handled.push(Promise.resolve(work));
        scope.dispatchEvent(event);
      }
      await Promise.all(handled);
      return done;
    },
    [action, times] as const,
  );
}

/** How many windows of the app the browser knows. A window that was left stays for a moment. */
export function openWindows(phone: Phone): Promise<number> {
  return workerOf(phone).evaluate(async () => {
    const { clients } = self as unknown as WorkerScope;
    return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length;
  });
}

/** Dispatches a sync event in the service worker. The browser retries one whose work is rejected. */
export function dispatchSync(phone: Phone, tag: string): Promise<'done' | 'to be retried'> {
  return workerOf(phone).evaluate((name) => {
    const works: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => works.push(work);
    self.dispatchEvent(Object.assign(new Event('sync'), { tag: name, waitUntil }));
    return Promise.all(works).then(
      () => 'done' as const,
      () => 'to be retried' as const,
    );
  }, tag);
}

/** Holds a lock for `ms`, like the sync worker of a page that is being closed. Resolves once it is acquired. */
export function holdLock(phone: Phone, name: string, ms: number): Promise<void> {
  return workerOf(phone).evaluate(
    ([lock, time]) =>
      new Promise<void>((resolve) => {
        const hold = () => {
          resolve();
          return new Promise((release) => setTimeout(release, time));
        };
        void navigator.locks.request(lock, hold);
      }),
    [name, ms] as const,
  );
}

/** Replaces the worker's badge API, which this browser may lack. Returns a function to read the numbers shown. */
export async function fakeBadge(phone: Phone): Promise<() => Promise<number[]>> {
  const worker = workerOf(phone);
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    const badges: number[] = [];
    scope.badges = badges;
    const setAppBadge = async (count: number) => void badges.push(count);
    Object.defineProperty(scope.navigator, 'setAppBadge', { value: setAppBadge });
  });
  return () => worker.evaluate(() => (self as unknown as WorkerScope).badges ?? []);
}

/** How many notifications the worker has displayed since the first call. */
export function displayedCount(phone: Phone): Promise<number> {
  return workerOf(phone).evaluate(() => {
    const scope = self as unknown as WorkerScope;
    if (scope.displayed !== undefined) return scope.displayed;
    scope.displayed = 0;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (title, options) => {
      await show(title, options);
      scope.displayed = (scope.displayed ?? 0) + 1;
    };
    return 0;
  });
}

/** Makes the worker fail at the next notification that it shows, as if the browser ended it just before. */
export function failNextNotification(phone: Phone): Promise<void> {
  return workerOf(phone).evaluate(() => {
    const { registration } = self as unknown as WorkerScope;
    const show = registration.showNotification;
    registration.showNotification = async () => {
      registration.showNotification = show;
      throw new Error('The worker has ended');
    };
  });
}

export interface SubscriptionChange {
  /** The endpoint that the worker's subscription had. */
  old: string | undefined;
  /** The endpoint of the new subscription, if the browser has made one. */
  replacement?: string | undefined;
  /** The endpoint that the worker gets when it subscribes. */
  subscribed?: string | undefined;
}

/** Dispatches `pushsubscriptionchange` for a replaced or dropped subscription, and waits until it was handled. */
export async function changeSubscription(phone: Phone, change: SubscriptionChange): Promise<void> {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  await workerOf(phone).evaluate(
    async ([{ old, replacement, subscribed }, subscriptionKeys]) => {
      const scope = self as unknown as WorkerScope;
      const applicationServerKey = new Uint8Array([4, 1, 2]).buffer;
      const subscription = (endpoint: string | undefined) =>
        endpoint === undefined
          ? null
          : {
              endpoint,
              options: { userVisibleOnly: true, applicationServerKey },
              toJSON: () => ({ endpoint, keys: subscriptionKeys }),
            };
      const subscribe = async (options: PushSubscriptionOptionsInit) => {
        if (options.applicationServerKey !== applicationServerKey) throw new Error('another key');
        return subscription(subscribed);
      };
      Object.defineProperty(scope.registration.pushManager, 'subscribe', {
        value: subscribe,
        configurable: true,
      });
      const event = Object.assign(new scope.ExtendableEvent('pushsubscriptionchange'), {
        oldSubscription: subscription(old),
        newSubscription: subscription(replacement),
      });
      let handled: unknown;
      event.waitUntil = (work) => {
        handled = work;
      };
      scope.dispatchEvent(event);
      await handled;
    },
    [change, keys] as const,
  );
}

function workerOf(phone: Phone): Worker {
  const worker = phone.context.serviceWorkers().at(-1);
  if (!worker) throw new Error('No service worker runs');
  return worker;
}
