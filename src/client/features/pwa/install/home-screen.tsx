import { useObservable } from 'dexie-react-hooks';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { onOpAdded } from '#client/store/outbox/enqueue.ts';
import { watchPlants } from '#client/store/plants.ts';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { useNow } from '#client/ui/use-now.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { isDue } from '#domain/watering/schedule.ts';
import { installPrompt } from './install-prompt.ts';

// Loaded lazily, because most people see it at most once. If the chunk fails to load, the screen works without it.
const InstallInvitation = lazyComponent(
  () => import('./install-invitation.tsx').catch(() => ({ InstallInvitation: Nothing })),
  'InstallInvitation',
);

function Nothing(): ReactNode {
  return null;
}

/**
 * Shows on the app's icon how many plants need water. Also invites the person to install the app after the first change
 * since the page was loaded, unless they have answered an invitation or installed the app before.
 */
export function HomeScreen() {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  useDueBadge(plants);
  const [hasChanged, setChanged] = useState(false);
  // A live query of the outbox could miss a change that is sent quickly.
  useEffect(() => onOpAdded(db, () => setChanged(true)), [db]);
  const [isAnswered, setAnswered] = useRememberedFlag('sprig.install-answered', false);
  // The app may also be installed from the browser's own menu.
  useEffect(() => {
    const onInstalled = () => setAnswered(true);
    window.addEventListener('appinstalled', onInstalled);
    return () => window.removeEventListener('appinstalled', onInstalled);
  }, [setAnswered]);
  const prompt = hasChanged && !isAnswered && installPrompt();
  return (
    prompt && (
      <Suspense>
        <InstallInvitation prompt={prompt} onAnswer={() => setAnswered(true)} />
      </Suspense>
    )
  );
}

/**
 * Shows on the app’s icon how many plants need water, for as long as the person is signed in. Also writes an unchanged
 * number when the plants change and whenever `now` does, e.g. on return to the page, because the service worker may have
 * written the number of a digest.
 */
function useDueBadge(plants: readonly PlantWithPending[] | undefined): void {
  const now = useNow();
  // The icon is outside of React.
  useEffect(() => {
    if (!plants) return;
    const due = plants.filter(({ record }) => isDue(record.next_watering_date ?? null, now));
    writeBadge(due.length);
  }, [plants, now]);
  useEffect(() => () => writeBadge(0), []);
}

/** 0 removes the badge. Errors are ignored: some systems show no badges, and nothing depends on them. */
function writeBadge(count: number): void {
  navigator.setAppBadge?.(count).catch(() => undefined);
}
