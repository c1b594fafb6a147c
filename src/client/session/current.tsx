import { useEffect, useSyncExternalStore } from 'react';
import type { DeviceDb } from '#client/store/schema.ts';
import type { User } from '#contract/auth.ts';
import type { TimeZone } from '#domain/zone.ts';
import {
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

/** The last session with which a screen was rendered. */
let last: SignedIn | null = null;

function useSignedIn(): SignedIn {
  const session = useSession();
  if (session.status === 'signed-in') last = session;
  // After the session has ended, the screen is still rendered until the router has replaced it. New parts of it may be
  // mounted, e.g. more cards of a list.
  if (!last) throw new Error('Nobody is signed in');
  return last;
}
