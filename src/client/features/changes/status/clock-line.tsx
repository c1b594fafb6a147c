import { useObservable } from 'dexie-react-hooks';
import { lazy, Suspense } from 'react';
import { useDb } from '#client/session/current.tsx';
import { watchClockOffset } from '#client/store/clock-offset.ts';

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
