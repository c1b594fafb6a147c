import { Link } from '@tanstack/react-router';
import { AccountScreen } from '../form/account-screen.tsx';
import { keepReturnPath } from '../form/return-path.tsx';
import { type News, SignInForm } from './sign-in-form.tsx';

export function SignInScreen(props: { news: News | null; onNewsRead: () => void }) {
  return (
    <AccountScreen
      name="Sign In"
      heading="Welcome back"
      intro="Sign in to see your plants."
      below={
        <>
          New to Sprig?{' '}
          <Link to="/signup" search={keepReturnPath}>
            Sign up
          </Link>
        </>
      }
    >
      <SignInForm {...props} />
    </AccountScreen>
  );
}
