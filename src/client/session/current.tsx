import { useEffect, useSyncExternalStore } from 'react';
import type { DeviceDb } from '#client/store/schema.ts';
import type { User } from '#contract/auth.ts';
import type { TimeZone } from '#domain/zone.ts';
import {
  getLastSignedIn,
  getSession,
  keepSession,
  type Session,
  type SignedIn,
  subscribeSession,
} from './session.ts';

export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession, getSession);
}

/** The signed-in account. Use it only in components behind the dashboard's guard. */
export function useAccount(): User {
  return useSignedIn().user;
}

/** The account's database on this device. Use it only in components behind the dashboard's guard. */
export function useDb(): DeviceDb {
  return useSignedIn().db;
}

/** The account's time zone, in which dates are shown. Use it only in components behind the dashboard's guard. */
export function useZone(): TimeZone {
  return useSignedIn().zone;
}

/** Calls keepSession while `isKept` is true. */
export function useKeptSession(isKept: boolean): void {
  // The session is outside of React.
  useEffect(() => (isKept ? keepSession() : undefined), [isKept]);
}

/** After the session has ended, its screen is rendered until the router has replaced it, and parts are still mounted. */
function useSignedIn(): SignedIn {
  const session = useSession();
  const signedIn = session.status === 'signed-in' ? session : getLastSignedIn();
  if (!signedIn) throw new Error('Nobody is signed in');
  return signedIn;
}
