import { createFileRoute, redirect } from '@tanstack/react-router';
import { SignInForm } from '#features/account/sign-in-form.tsx';
import { getSession } from '#session/session.ts';
import logo from '#ui/logo.svg';
import styles from './signin.module.css';

export const Route = createFileRoute('/signin')({
  validateSearch: ({ from, verified }): { from?: string; verified?: 0 | 1 } => ({
    // Only our own screens: an address from elsewhere must not lead there.
    ...(typeof from === 'string' && from.startsWith('/dashboard') && { from }),
    ...((verified === 0 || verified === 1) && { verified }),
  }),
  beforeLoad: ({ search }) => {
    if (getSession().status === 'signed-in') throw redirect({ href: search.from ?? '/dashboard' });
  },
  component: SignIn,
});

const linkTexts = [
  'This verification link has been used or has expired. If you cannot sign in, sign up again to get a new one.',
  'Your email is verified. You can sign in now.',
] as const;

function SignIn() {
  const { verified } = Route.useSearch();
  return (
    <main className={styles.page}>
      <title>Sign In · Sprig</title>
      <div className={styles.card}>
        <img src={logo} alt="" width="48" height="48" />
        <h1>Welcome back</h1>
        <p>Sign in to see your plants.</p>
        <SignInForm news={verified === undefined ? null : linkTexts[verified]} />
      </div>
    </main>
  );
}
