import { AccountError } from '#client/session/account-error.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';

/** Why the server did not do it; nothing about devices waits for a network to come. */
export function DeviceFailure({ failure }: { failure: Error }) {
  const isOffline = failure instanceof AccountError && failure.isUnreachable;
  return (
    <Banner look="error">
      <p>{isOffline ? 'Devices need a network connection.' : failure.message}</p>
    </Banner>
  );
}
