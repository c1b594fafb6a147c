import { deviceNotice } from '#client/sync/reminders/device-notice.ts';
import { type Notice, readNotice } from '#client/sync/reminders/notice.ts';
import { showNotice, writeBadge } from './notification.ts';

/** Maximum time to read the database, which may be blocked. The notification must be shown soon in any case. */
const maxReadMs = 2_000;

/** Always shows a notification, because browsers withdraw the permission after a push without one. Sends no request. */
export async function onPush(payload: string | null): Promise<void> {
  const shown = await forThisDevice(readNotice(payload));
  await Promise.all([showNotice(shown), writeBadge(shown.notice.badge)]);
}

async function forThisDevice(notice: Notice) {
  const asSent = { notice, canWater: false };
  const late = new Promise<typeof asSent>((resolve) => {
    setTimeout(() => resolve(asSent), maxReadMs);
  });
  const read = deviceNotice(notice, Date.now()).catch((error: unknown) => {
    console.warn('The notification is shown as it was sent:', error);
    return asSent;
  });
  return Promise.race([read, late]);
}
