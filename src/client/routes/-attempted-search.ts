/** What the address of an account screen remembers while somebody is on the way to sign in. */
export interface AttemptedSearch {
  /** The screen that was asked for. */
  from?: string | undefined;
}

/** Of our own screens alone: a link from elsewhere must not lead anywhere else. */
const dashboardAddress = /^\/dashboard(\/[^/?#\\]+)*\/?([?#]|$)/;

/** What is not named here stays as the address has it: a refused value has to be put out by name. */
export function attemptedSearch({ from }: Record<string, unknown>): AttemptedSearch {
  return { from: typeof from === 'string' && dashboardAddress.test(from) ? from : undefined };
}
