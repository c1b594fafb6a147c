import { redirect } from '@tanstack/react-router';
import { getSession } from '#client/session/session.ts';

/** Public and account screens are for visitors; who is signed in goes to their plants. */
export function visitorsOnly(): void {
  if (getSession().status === 'signed-in') throw redirect({ to: '/dashboard' });
}
