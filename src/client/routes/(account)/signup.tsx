import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { AccountScreen, keepReturnPath } from '#client/features/account/form/account-screen.tsx';
import { SignUpForm } from '#client/features/account/screens/sign-up-form.tsx';
import { returnSearch } from '../-return-search.ts';
import { visitorsOnly } from '../-visitors-only.ts';

export const Route = createFileRoute('/(account)/signup')({
  validateSearch: returnSearch,
  beforeLoad: visitorsOnly,
  component: SignUp,
});

function SignUp() {
  const navigate = useNavigate();
  return (
    <AccountScreen
      name="Sign Up"
      heading="Create your account"
      intro="A minute now, and your plants have a place of their own."
      below={
        <>
          Already have an account?{' '}
          <Link to="/signin" search={keepReturnPath}>
            Sign in
          </Link>
        </>
      }
    >
      <SignUpForm
        onCreated={() =>
          navigate({ to: '/signin', search: keepReturnPath, state: { isAccountCreated: true } })
        }
      />
    </AccountScreen>
  );
}
