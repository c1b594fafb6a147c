import { useSyncExternalStore } from 'react';
import type { User } from '#contract/auth.ts';
import type { DeviceDb } from '#data/db.ts';
import { getSession, type Session, type SignedIn, subscribeSession } from './session.ts';

export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** The signed-in account; only for what renders behind the dashboard's guard. */
export function useAccount(): User {
  return useSignedIn().user;
}

/** The account's database on this device; only for what renders behind the dashboard's guard. */
export function useDb(): DeviceDb {
  return useSignedIn().db;
}

function useSignedIn(): SignedIn {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('Nobody is signed in');
  return session;
}
