import { onTestFinished, vi } from 'vitest';

/** The browser's push subscription and permission for notifications, faked for the running test. */
export interface FakePush {
  /** The endpoint of the browser's subscription; null without one. */
  endpoint: () => string | null;
  /** Subscribes the browser with this key, as the app would have done earlier. */
  subscribe: (key: string) => Promise<void>;
  /** What the person answers when the browser asks. */
  allow: (permission: NotificationPermission) => void;
  /** How often the browser asked the person. */
  questions: () => number;
}

export const pushKey = 'BAbc-_8A';

/**
 * Fakes the registration of a service worker, with a push manager that uses no push service, and the permission for
 * notifications.
 */
export function fakePush({ permission }: { permission: NotificationPermission }): FakePush {
  let current: { endpoint: string; key: string } | null = null;
  let count = 0;
  let answer: NotificationPermission = 'granted';
  let questions = 0;
  const asSubscription = ({ endpoint, key }: { endpoint: string; key: string }) => ({
    endpoint,
    options: { applicationServerKey: bytesOf(key).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'cDI1Ng', auth: 'YXV0aA' } }),
    unsubscribe: async () => {
      current = null;
      return true;
    },
  });
  const pushManager = {
    getSubscription: async () => current && asSubscription(current),
    subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
      if (current && current.key !== key) throw new DOMException('Key', 'InvalidStateError');
      count += 1;
      current ??= { endpoint: `https://push.example.org/${count}`, key };
      return asSubscription(current);
    },
  };
  vi.spyOn(navigator, 'serviceWorker', 'get').mockReturnValue(
    Object.create(navigator.serviceWorker, {
      getRegistration: {
        value: async () => ({ active: {}, pushManager, getNotifications: async () => [] }),
      },
    }),
  );
  let given = permission;
  vi.stubGlobal('Notification', {
    get permission() {
      return given;
    },
    requestPermission: async () => {
      questions += 1;
      given = answer;
      return answer;
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    endpoint: () => current?.endpoint ?? null,
    subscribe: async (key) => void (await pushManager.subscribe({ applicationServerKey: key })),
    allow: (next) => {
      answer = next;
    },
    questions: () => questions,
  };
}

function bytesOf(base64url: string): Uint8Array {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
