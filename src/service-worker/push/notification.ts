import type { DeviceReminder } from '#client/sync/reminders/device-reminder.ts';
import type { Reminder } from '#client/sync/reminders/reminder.ts';

declare const self: ServiceWorkerGlobalScope;

/** Actions are missing in TypeScript's DOM library. */
interface WithActions extends NotificationOptions {
  actions?: { action: string; title: string }[];
}

/** Data stored in a notification, to handle taps on it. */
export interface NotificationData {
  /** The key has an old name, because notifications that earlier versions have shown contain it. */
  notice: Reminder;
  /** Identifies this notification, so that a tap that is delivered twice counts once. */
  id: string;
  /** When it was first shown (ms); absent if an older version has shown it. */
  shownAt?: number;
  /** 'answered': the person has tapped Watered, and the waterings may not be sent yet. */
  state: 'shown' | 'answered';
}

/** The action of the button Watered. */
export const waterAction = 'water';

export async function showReminder({ reminder, canWater }: DeviceReminder): Promise<void> {
  const actions = canWater ? [{ action: waterAction, title: 'Watered' }] : [];
  const data = {
    id: crypto.randomUUID(),
    shownAt: Date.now(),
    state: 'shown',
    notice: reminder,
  } as const;
  await show(reminder, data, { actions });
}

/** Replaces a notification by one that shows the result of a tap. */
export async function replaceNotification(
  data: NotificationData,
  { title, body, state }: { title: string; body: string; state: NotificationData['state'] },
): Promise<void> {
  await show({ ...data.notice, title, body }, { ...data, state }, { silent: true });
}

async function show(
  { title, body, tag }: Reminder,
  data: NotificationData,
  options: WithActions,
): Promise<void> {
  // Only a notification with a tag can be replaced later.
  const complete: WithActions = {
    body,
    tag: tag || data.id,
    lang: 'en',
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-monochrome-512.png',
    data,
    ...options,
  };
  await self.registration.showNotification(title, complete);
}

/** The data of a notification; null for one that an older version may have shown. */
export function dataOf({ data }: Notification): NotificationData | null {
  return typeof data === 'object' && data !== null && 'notice' in data && 'id' in data
    ? data
    : null;
}

/** 0 removes the badge. Only some systems have one, and nothing depends on it. */
export async function writeBadge(count: number | null): Promise<void> {
  if (count === null || !('setAppBadge' in navigator)) return;
  await navigator.setAppBadge(count).catch(() => undefined);
}
