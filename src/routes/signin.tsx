import { createFileRoute, redirect } from '@tanstack/react-router';
import { SignInForm } from '#features/account/sign-in-form.tsx';
import { getSession } from '#session/session.ts';
import logo from '#ui/logo.svg';
import styles from './signin.module.css';

export const Route = createFileRoute('/signin')({
  validateSearch: (search): { from?: string } => {
    const { from } = search;
    // Only our own screens: an address from elsewhere must not lead there.
    return typeof from === 'string' && from.startsWith('/dashboard') ? { from } : {};
  },
  beforeLoad: ({ search }) => {
    if (getSession().status === 'signed-in') throw redirect({ href: search.from ?? '/dashboard' });
  },
  component: SignIn,
});

function SignIn() {
  return (
    <main className={styles.page}>
      <title>Sign In · Sprig</title>
      <div className={styles.card}>
        <img src={logo} alt="" width="48" height="48" />
        <h1>Welcome back</h1>
        <p>Sign in to see your plants.</p>
        <SignInForm />
      </div>
    </main>
  );
}
