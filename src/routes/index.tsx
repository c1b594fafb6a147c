import { createFileRoute, redirect } from '@tanstack/react-router';
import { getSession } from '#session/session.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    const isSignedIn = getSession().status === 'signed-in';
    throw redirect({ to: isSignedIn ? '/dashboard' : '/signin' });
  },
});
