import { useEffect, useState, useSyncExternalStore } from 'react';

const everyMs = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time (ms), updated every 30 s and on return to the page. One timer serves the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, getNow, getNow);
}

/**
 * Whether a moment (ms) has passed; renders again as soon as it has. A clock that is set back meanwhile does not delay
 * it.
 */
export function useHasPassed(moment: number): boolean {
  const [passed, setPassed] = useState<number | null>(null);
  const hasPassed = passed === moment || Date.now() >= moment;
  useEffect(() => {
    if (hasPassed) return;
    const timer = setTimeout(() => setPassed(moment), moment - Date.now());
    return () => clearTimeout(timer);
  }, [moment, hasPassed]);
  return hasPassed;
}

function getNow(): number {
  return now;
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick();
    timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
