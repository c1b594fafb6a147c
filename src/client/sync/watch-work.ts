import { liveQuery } from 'dexie';
import { liveStore } from '#client/store/live-query.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/**
 * Calls for every change of the queue and every round that was asked for, in whichever tab; until told to stop. Of
 * changes that stream in, as while it is being sent, a few are skipped, never the last.
 */
export function watchWork(db: DeviceDb, onWork: (isAsked: boolean) => void): () => void {
  const queue = liveStore(db, () => db.outbox.toCollection().last());
  const changes = queue.subscribe(() => onWork(false));
  let known: string | null = null;
  const requests = liveQuery(() => db.syncState.get('request')).subscribe({
    next: (row) => {
      const nonce = row?.id === 'request' ? row.nonce : '';
      const isNew = known !== null && nonce !== known;
      known = nonce;
      if (isNew) onWork(true);
    },
    error: (error) => console.error('Requests for a round cannot be heard:', error),
  });
  return () => {
    changes.unsubscribe();
    requests.unsubscribe();
  };
}
