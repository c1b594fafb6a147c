import { getSession, subscribeSession } from '#client/session/session.ts';
import { whenIdle } from '#client/session/when-idle.ts';

/**
 * Renews the browser's push subscription at the start and after every sign-in, where the person allowed notifications.
 */
export function renewPushSubscription(): void {
  let known: string | null = null;
  const follow = () => {
    const session = getSession();
    const token = session.status === 'signed-in' ? session.token : null;
    if (token === known) return;
    known = token;
    // Loaded lazily, because most people never need it.
    if (token === null || !isAllowed()) return;
    whenIdle(() => {
      import('#client/session/push-subscription.ts').then(
        ({ refreshPush }) => refreshPush(),
        () => undefined,
      );
    });
  };
  follow();
  subscribeSession(follow);
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}
