import { liveQuery } from 'dexie';
import type { DeviceDb } from '#data/db.ts';

/** Calls for every op that was added and every round that was asked for, in whichever tab; until told to stop. */
export function watchWork(db: DeviceDb, onWork: (isAsked: boolean) => void): () => void {
  let asked: string | null | undefined;
  const work = liveQuery(async () => ({
    lastOp: await db.outbox.toCollection().last(),
    request: await db.syncState.get('request'),
  }));
  const subscription = work.subscribe({
    next: ({ request }) => {
      const nonce = request?.id === 'request' ? request.nonce : null;
      const isNew = asked !== undefined && nonce !== asked;
      asked = nonce;
      onWork(isNew);
    },
    error: (error) => console.error('The queue cannot be watched:', error),
  });
  return () => subscription.unsubscribe();
}
