import { getSession, subscribeSession } from '#client/session/session.ts';
import type { AppRouter } from './router.tsx';

/**
 * Selects the screen again whenever the session changes. Signing out opens a plain /signin, which shows the next person
 * nothing; when a session expires, sign-in returns to the current screen.
 */
export function followSession(router: AppRouter): void {
  subscribeSession(() => {
    const session = getSession();
    const hasLeft = session.status === 'signed-out' && session.hasLeft;
    void (hasLeft ? router.navigate({ to: '/signin', replace: true }) : router.invalidate());
  });
}
