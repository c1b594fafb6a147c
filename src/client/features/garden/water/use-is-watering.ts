import { useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Op } from '#client/store/outbox/op.ts';
import { watchAwaited } from '#client/store/outbox/op-answer.ts';

/** How long a person waits for the server's first answer. */
export const answerWithinMs = 10_000;

/**
 * Whether the server's first answer to a plant's waiting watering is still to come; for ten seconds from the tap,
 * whichever button of the plant was tapped, in whichever tab. Offline and in backoff nothing is waited for.
 */
export function useIsWatering(watering: Op | null): boolean {
  const db = useDb();
  const [awaited, setAwaited] = useState<string | null>(null);
  const opId = watering?.opId;
  const tappedAt = watering?.occurredAt ?? 0;
  // The queue and the clock go on outside of React.
  useEffect(() => {
    const leftMs = Math.min(answerWithinMs, tappedAt + answerWithinMs - Date.now());
    if (opId === undefined || leftMs <= 0) return;
    const subscription = watchAwaited(db, opId).subscribe({
      next: (isAwaited) => setAwaited(isAwaited ? opId : null),
      error: () => setAwaited(null),
    });
    const timer = setTimeout(() => {
      subscription.unsubscribe();
      setAwaited(null);
    }, leftMs);
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  }, [db, opId, tappedAt]);
  return opId !== undefined && awaited === opId;
}
