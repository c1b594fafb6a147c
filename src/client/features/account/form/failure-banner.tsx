import type { ReactNode } from 'react';
import { AccountError } from '#client/session/account-error.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';

/** Why an account form failed. `children`: what the person can do about it. */
export function FailureBanner({ failure, children }: { failure: Error; children?: ReactNode }) {
  return (
    <Banner look="error">
      <p>{failure.message}</p>
      {failure instanceof AccountError && failure.isUnreachable && (
        <p>The server could not be reached.</p>
      )}
      {children}
    </Banner>
  );
}
