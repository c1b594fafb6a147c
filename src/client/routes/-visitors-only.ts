import { redirect } from '@tanstack/react-router';
import { getSession } from '#client/session/session.ts';

/** Guard of the public and account screens: somebody who is signed in goes to the dashboard. */
export function visitorsOnly(): void {
  if (getSession().status === 'signed-in') throw redirect({ to: '/dashboard' });
}
