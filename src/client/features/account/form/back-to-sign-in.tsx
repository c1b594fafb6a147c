import { Link } from '@tanstack/react-router';
import { keepAttempted } from './keep-attempted.ts';

export function BackToSignIn() {
  return (
    <Link to="/signin" search={keepAttempted}>
      Back to sign in
    </Link>
  );
}
