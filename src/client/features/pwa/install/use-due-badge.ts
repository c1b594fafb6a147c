import { useEffect } from 'react';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { useNow } from '#client/ui/use-now.ts';
import { isDue } from '#domain/watering/schedule.ts';

/** Shows on the app’s icon how many plants need water, for as long as the person is signed in. */
export function useDueBadge(plants: readonly PlantWithPending[] | undefined): void {
  const now = useNow();
  const due = plants?.filter(({ record }) => isDue(record.next_watering_date ?? null, now)).length;
  // The icon is outside of React.
  useEffect(() => {
    if (due !== undefined) writeBadge(due);
  }, [due]);
  useEffect(() => () => writeBadge(0), []);
}

/** 0 removes the badge. The operating system may refuse it, and nothing depends on it. */
function writeBadge(count: number): void {
  navigator.setAppBadge?.(count).catch(() => undefined);
}
