import { redirect } from '@tanstack/react-router';
import { getSession } from '#client/session/session.ts';

/** Guard of the public and account screens except sign-in: redirects a signed-in person to the dashboard. */
export function visitorsOnly(): void {
  if (getSession().status === 'signed-in') throw redirect({ to: '/dashboard' });
}
