import { useObservable } from 'dexie-react-hooks';
import { lazy, Suspense } from 'react';
import { watchClockOffset } from '#data/clock-offset.ts';
import { useDb } from '#session/current.tsx';

// Most people never see it.
const WrongClock = lazy(async () => ({ default: (await import('./wrong-clock.tsx')).WrongClock }));

const noticeableMs = 30 * 60_000;

/** Says so when this device's clock is wrong: what is left of an interval is told by it. */
export function ClockLine() {
  const db = useDb();
  const offsetMs = useObservable(() => watchClockOffset(db), [db]) ?? 0;
  if (Math.abs(offsetMs) < noticeableMs) return null;
  return (
    <Suspense>
      <WrongClock offsetMs={offsetMs} />
    </Suspense>
  );
}
