import type { WithLock } from '#client/sync/lock.ts';
import { deferred } from '../deferred.ts';

/** Web Locks shared by several tabs: exclusive by name, granted in the order of requests. */
export function createLocks(): { hold: WithLock; held: () => number } {
  const queues = new Map<string, Promise<void>>();
  let heldCount = 0;
  return {
    held: () => heldCount,
    hold: async (name, signal, work) => {
      const before = queues.get(name) ?? Promise.resolve();
      const finished = deferred();
      queues.set(
        name,
        before.then(() => finished.promise),
      );
      const aborted = new Promise<'aborted'>((resolve) => {
        signal.addEventListener('abort', () => resolve('aborted'), { once: true });
      });
      const turn = await Promise.race([before, aborted]);
      if (turn === 'aborted') {
        finished.resolve();
        throw new DOMException('Aborted', 'AbortError');
      }
      heldCount += 1;
      try {
        await work();
      } finally {
        heldCount -= 1;
        finished.resolve();
      }
    },
  };
}
