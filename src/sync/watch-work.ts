import type { DeviceDb } from '#data/db.ts';
import { watch } from '#data/watch.ts';

/** Calls for every op that was added and every round that was asked for, in whichever tab; until told to stop. */
export function watchWork(db: DeviceDb, onWork: (isAsked: boolean) => void): () => void {
  let asked: string | null | undefined;
  const work = watch(db, async () => ({
    lastOp: await db.outbox.toCollection().last(),
    request: await db.syncState.get('request'),
  }));
  const subscription = work.subscribe(({ request }) => {
    const nonce = request?.id === 'request' ? request.nonce : null;
    const isNew = asked !== undefined && nonce !== asked;
    asked = nonce;
    onWork(isNew);
  });
  return () => subscription.unsubscribe();
}
