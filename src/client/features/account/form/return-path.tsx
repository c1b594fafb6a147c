import { Link } from '@tanstack/react-router';

interface ReturnPath {
  from?: string | undefined;
}

/**
 * For the `search` of links between account screens. It passes on the path that the person tried to open, so that
 * signing in leads there after any detour.
 */
export function keepReturnPath({ from }: ReturnPath): ReturnPath {
  return { from };
}

export function BackToSignIn() {
  return (
    <Link to="/signin" search={keepReturnPath}>
      Back to sign in
    </Link>
  );
}
