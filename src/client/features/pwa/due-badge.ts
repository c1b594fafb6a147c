import { useObservable } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import { watchPlants } from '#client/store/plants.ts';
import { useNow } from '#client/ui/use-now.ts';
import { isDue } from '#domain/watering/schedule.ts';

/**
 * Shows on the app’s icon how many plants need water, for as long as the person is signed in. Also writes an unchanged
 * number when the plants change and whenever `now` does, e.g. on return to the page, because the service worker may have
 * written the number of a digest. A component and not a hook, so that a change of the plants does not render the dashboard.
 */
export function DueBadge() {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  const now = useNow();
  // The icon is outside of React.
  useEffect(() => {
    if (!plants) return;
    const due = plants.filter(({ record }) => isDue(record.next_watering_date ?? null, now));
    writeBadge(due.length);
  }, [plants, now]);
  useEffect(() => () => writeBadge(0), []);
  return null;
}

/** 0 removes the badge. Errors are ignored: some systems show no badges, and nothing depends on them. */
function writeBadge(count: number): void {
  navigator.setAppBadge?.(count).catch(() => undefined);
}
