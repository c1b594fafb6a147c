import { AccountError } from '#client/session/account-error.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';

/** Why a request about devices failed. None of them is queued while offline. */
export function DeviceFailure({ failure }: { failure: Error }) {
  const isOffline = failure instanceof AccountError && failure.isUnreachable;
  return (
    <Banner look="error">
      <p>{isOffline ? 'Devices need a network connection.' : failure.message}</p>
    </Banner>
  );
}
