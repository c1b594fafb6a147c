/**
 * Keeps tries that fail to ten in any minute, whoever asks for them: a network that comes and goes, a tab that is
 * hidden and shown, a person who taps again and again. One per tab; it outlives its leaderships.
 */
export interface Pace {
  /** A round has failed (device's clock, ms). */
  noteFailure: (now: number) => void;
  /** When the next try may be made (device's clock, ms); 0: at once. */
  freeAt: (now: number) => number;
}

const windowMs = 60_000;
const triesPerWindow = 10;

export function createPace(): Pace {
  let failures: number[] = [];
  /** A clock that was set back would make old failures last. */
  const recent = (now: number) => failures.filter((at) => at <= now && at > now - windowMs);
  return {
    noteFailure: (now) => {
      failures = [...recent(now), now];
    },
    freeAt: (now) => {
      const oldest = recent(now).at(-triesPerWindow);
      return oldest === undefined ? 0 : oldest + windowMs;
    },
  };
}
