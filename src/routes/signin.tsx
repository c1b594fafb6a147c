import { createFileRoute, Link, redirect, useLocation } from '@tanstack/react-router';
import { AccountScreen } from '#features/account/account-screen.tsx';
import { type News, SignInForm } from '#features/account/sign-in-form.tsx';
import { getSession } from '#session/session.ts';

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

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sign-up that led here. */
    isAccountCreated?: boolean;
  }
}

const created: News = {
  look: 'success',
  text: 'Account created successfully! Please check your email to verify your account.',
};
const byVerified: Record<0 | 1, News> = {
  0: {
    look: 'info',
    text: 'This verification link has been used or has expired. If you cannot sign in, sign up again to get a new one.',
  },
  1: { look: 'success', text: 'Your email is verified. You can sign in now.' },
};

function SignIn() {
  const { verified } = Route.useSearch();
  const isCreated = useLocation({ select: ({ state }) => state.isAccountCreated });
  const linkNews = verified === undefined ? null : byVerified[verified];
  return (
    <AccountScreen
      name="Sign In"
      heading="Welcome back"
      intro="Sign in to see your plants."
      below={
        <>
          New to Sprig? <Link to="/signup">Sign up</Link>
        </>
      }
    >
      <SignInForm news={isCreated ? created : linkNews} />
    </AccountScreen>
  );
}
