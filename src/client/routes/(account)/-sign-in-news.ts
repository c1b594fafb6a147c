import { useLocation, useNavigate } from '@tanstack/react-router';
import type { News } from '#client/features/account/screens/sign-in-form.tsx';
import { useSession } from '#client/session/current.tsx';
import { dismissNotice } from '#client/session/session.ts';
import type { AttemptedSearch } from '../-attempted-search.ts';

/** What a sign-in's address may say. */
export interface SignInSearch extends AttemptedSearch {
  /** What came of a mailed link. */
  verified?: 0 | 1 | undefined;
}

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

/** What led to the sign-in: a sign-up, a link in a mail, the end of a session. */
export function useSignInNews({ from, verified }: SignInSearch): {
  news: News | null;
  forgetNews: () => void;
} {
  const isCreated = useLocation({ select: ({ state }) => state.isAccountCreated });
  const session = useSession();
  const navigate = useNavigate();
  const notice = session.status === 'signed-out' ? session.notice : null;
  const ended: News | null = notice === null ? null : { look: 'info', text: notice };
  const linked = verified === undefined ? null : byVerified[verified];
  return {
    news: isCreated ? created : (linked ?? ended),
    forgetNews: () => {
      dismissNotice();
      // Else a reload of the page would bring it back.
      void navigate({ to: '/signin', search: { from }, replace: true, resetScroll: false });
    },
  };
}
