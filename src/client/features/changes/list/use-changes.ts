import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { type ChangeList, watchChanges } from '#client/store/outbox/changes.ts';

/**
 * All changes that wait for the server or the person, and all conflicts; undefined until the device's database has
 * responded.
 */
export function useChanges(): ChangeList | undefined {
  const db = useDb();
  return useObservable(() => watchChanges(db), [db]);
}
