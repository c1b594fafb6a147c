/** Search params that the account screens keep until the person has signed in. */
export interface ReturnSearch {
  /** The dashboard path that was opened without a session. */
  from?: string | undefined;
}

/** Only paths of our dashboard, so that a link cannot redirect to another site. */
const dashboardPath = /^\/dashboard(\/[^/?#\\]+)*\/?([?#]|$)/;

/** An invalid path must be set to undefined explicitly: the router keeps omitted keys as they are in the URL. */
export function returnSearch({ from }: Record<string, unknown>): ReturnSearch {
  return { from: typeof from === 'string' && dashboardPath.test(from) ? from : undefined };
}
