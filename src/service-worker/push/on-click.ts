import { backgroundTagOf } from '#client/sync/background/tag.ts';
import { answeredTexts, answerReminder, answerState } from '#client/sync/reminders/answer.ts';
import { sendOutbox } from '../outbox.ts';
import {
  dataOf,
  type NotificationData,
  replaceNotification,
  waterAction,
  writeBadge,
} from './notification.ts';

declare const self: ServiceWorkerGlobalScope;

/** Background Sync exists only in some browsers and is missing in TypeScript's DOM library. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

/** Handles a tap on a notification, on its button or anywhere else. */
export async function onNotificationClick(
  notification: Notification,
  action: string,
): Promise<void> {
  const data = dataOf(notification);
  if (action === waterAction && data) return await water(data);
  notification.close();
  await openScreen(data?.notice.path ?? '/dashboard');
}

async function water(data: NotificationData): Promise<void> {
  const { notice: reminder } = data;
  const result = await answerReminder(reminder, data, Date.now()).catch((error: unknown) => {
    console.warn('The watering was not stored:', error);
    return { type: 'failed' } as const;
  });
  if (result.type === 'failed' || result.type === 'impossible') {
    const texts = { title: 'That was not saved', body: 'Open Sprig and tap Water Now there.' };
    return await replaceNotification(data, { ...texts, state: 'shown' });
  }
  // Everything from here on can be repeated. A tap that is delivered twice repeats it, because the browser may have
  // ended this worker after the waterings were stored.
  const registration: SyncRegistration = self.registration;
  // First, because afterwards the notification has no button to tap again. The browser may not support it, the person
  // may have denied it, and Chromium rejects it while no window of the app is open.
  await registration.sync?.register(backgroundTagOf(reminder.account)).catch(() => undefined);
  const answered = { ...data, notice: { ...reminder, plants: result.plants } };
  const waiting = answeredTexts(answered.notice, { isSent: false, rejected: [] });
  await replaceNotification(answered, { ...waiting, state: 'answered' });
  await writeBadge(0);
  await sendOutbox(reminder.account);
  await confirmAnswers(reminder.account);
}

/** Updates those answered notifications of the account whose waterings have been sent or rejected. */
export async function confirmAnswers(dbName: string): Promise<void> {
  const all = (await self.registration.getNotifications()).map(dataOf);
  const answered = all.filter(
    (data) => data?.state === 'answered' && data.notice.account === dbName,
  );
  for (const data of answered) {
    if (!data) continue;
    const state = await answerState(data.notice, data.shownAt);
    if (!state.isSent && state.rejected.length === 0) continue;
    await replaceNotification(data, { ...answeredTexts(data.notice, state), state: 'shown' });
  }
}

/** Focuses an open window without navigating it, since it may contain unsaved input; otherwise opens the screen. */
async function openScreen(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // A window that is about to close cannot be focused.
  const focused = await windows[0]?.focus().catch(() => null);
  if (!focused) await self.clients.openWindow(path);
}
