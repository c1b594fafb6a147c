import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { type ChangeList, watchChanges } from '#client/store/outbox/changes.ts';

/** All changes that wait for the server or the person; undefined until the device's database has answered. */
export function useChanges(): ChangeList | undefined {
  const db = useDb();
  return useObservable(() => watchChanges(db), [db]);
}
