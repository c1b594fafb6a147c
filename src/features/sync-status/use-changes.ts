import { useObservable } from 'dexie-react-hooks';
import { type ChangeList, watchChanges } from '#data/changes.ts';
import { useDb } from '#session/current.tsx';

/** What waits for the server or the person; undefined until the device's database has answered. */
export function useChanges(): ChangeList | undefined {
  const db = useDb();
  return useObservable(() => watchChanges(db), [db]);
}
