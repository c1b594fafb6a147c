import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSession } from '#client/session/current.tsx';
import { dismissMessage } from '#client/session/session.ts';
import type { SignInMessage } from './sign-in-form.tsx';

/** The search params of the sign-in screen. */
export interface SignInSearch {
  /** The dashboard path to open after signing in. */
  from?: string | undefined;
  /** Whether the link of a verification email was still valid. */
  verified?: 0 | 1 | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The person has just signed up. */
    isAccountCreated?: boolean;
  }
}

const created: SignInMessage = {
  look: 'success',
  text: 'Account created successfully! Please check your email to verify your account.',
};
const byVerified: Record<0 | 1, SignInMessage> = {
  0: {
    look: 'info',
    text: 'This verification link has been used or has expired. If you cannot sign in, sign up again to get a new one.',
  },
  1: { look: 'success', text: 'Your email is verified. You can sign in now.' },
};

/** The message about why the person is here: after a sign-up, by an emailed link, or because the session ended. */
export function useSignInMessage({ from, verified }: SignInSearch): {
  message: SignInMessage | null;
  dismissMessage: () => void;
} {
  const isCreated = useLocation({ select: ({ state }) => state.isAccountCreated });
  const session = useSession();
  const navigate = useNavigate();
  const text = session.status === 'signed-out' ? session.message : null;
  const ended: SignInMessage | null = text === null ? null : { look: 'info', text };
  const linked = verified === undefined ? null : byVerified[verified];
  return {
    message: isCreated ? created : (linked ?? ended),
    dismissMessage: () => {
      dismissMessage();
      // Remove `verified` and the history state, so that the message does not appear again after a reload.
      void navigate({ to: '/signin', search: { from }, replace: true, resetScroll: false });
    },
  };
}
