/** Kept in the address of the account screens until the person has signed in. */
export interface ReturnSearch {
  /** The dashboard address that was asked for without a session. */
  from?: string | undefined;
}

/** Only addresses of our own dashboard: a link from elsewhere must not redirect anywhere else. */
const dashboardAddress = /^\/dashboard(\/[^/?#\\]+)*\/?([?#]|$)/;

/** An invalid address must be set to undefined explicitly: the router keeps omitted keys as they are in the address. */
export function returnSearch({ from }: Record<string, unknown>): ReturnSearch {
  return { from: typeof from === 'string' && dashboardAddress.test(from) ? from : undefined };
}
