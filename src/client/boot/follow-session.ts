import { getSession, subscribeSession } from '#client/session/session.ts';
import type { AppRouter } from './router.tsx';

/**
 * Decides the screen anew whenever the session changes. Who signs out leaves not even an address to the next person; a
 * session that ends by itself returns to where it was.
 */
export function followSession(router: AppRouter): void {
  subscribeSession(() => {
    const session = getSession();
    const hasLeft = session.status === 'signed-out' && session.hasLeft;
    void (hasLeft ? router.navigate({ to: '/signin', replace: true }) : router.invalidate());
  });
}
