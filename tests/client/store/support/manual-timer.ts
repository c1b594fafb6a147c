import type { Timer } from '#client/store/throttled-live-query.ts';

/** A timer whose time advances only by calls of `advance`. */
export interface ManualTimer extends Timer {
  advance: (ms: number) => void;
  pendingCount: () => number;
}

export function manualTimer(): ManualTimer {
  let now = 0;
  const pending = new Map<() => void, number>();
  return {
    now: () => now,
    schedule(callback, ms) {
      const entry = () => callback();
      pending.set(entry, now + ms);
      return () => void pending.delete(entry);
    },
    advance(ms) {
      now += ms;
      for (const [callback, dueAt] of [...pending]) {
        if (dueAt > now) continue;
        pending.delete(callback);
        callback();
      }
    },
    pendingCount: () => pending.size,
  };
}
