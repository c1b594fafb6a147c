import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { AccountScreen } from '#features/account/account-screen.tsx';
import { keepAttempted } from '#features/account/keep-attempted.ts';
import { SignInForm } from '#features/account/sign-in-form.tsx';
import { getSession } from '#session/session.ts';
import { attemptedSearch } from './-attempted-search.ts';
import { type SignInSearch, useSignInNews } from './-sign-in-news.ts';

export const Route = createFileRoute('/signin')({
  validateSearch: ({ from, verified }): SignInSearch => ({
    ...attemptedSearch({ from }),
    verified: verified === 0 || verified === 1 ? verified : undefined,
  }),
  beforeLoad: ({ search }) => {
    if (getSession().status === 'signed-in') throw redirect({ href: search.from ?? '/dashboard' });
  },
  component: SignIn,
});

function SignIn() {
  const { news, forgetNews } = useSignInNews(Route.useSearch());
  return (
    <AccountScreen
      name="Sign In"
      heading="Welcome back"
      intro="Sign in to see your plants."
      below={
        <>
          New to Sprig?{' '}
          <Link to="/signup" search={keepAttempted}>
            Sign up
          </Link>
        </>
      }
    >
      <SignInForm news={news} onNewsRead={forgetNews} />
    </AccountScreen>
  );
}
