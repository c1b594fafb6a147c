import { useObservable } from 'dexie-react-hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { onIntent } from '#client/store/outbox/enqueue.ts';
import { watchPlants } from '#client/store/plants.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { installOffer } from './install-offer.ts';
import { useDueBadge } from './use-due-badge.ts';

// Seen once by most people, and by many never.
const InstallInvitation = lazy(async () => ({
  default: (await import('./install-invitation.tsx')).InstallInvitation,
}));

/**
 * The app's place on the home screen: how many plants need water stands on its icon, and who has changed something
 * here is invited to put it there, until they have answered once.
 */
export function HomeScreen() {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  useDueBadge(plants);
  const [isUsed, setUsed] = useState(false);
  // In the queue the change may stand too shortly to be seen there.
  useEffect(() => onIntent(db, () => setUsed(true)), [db]);
  const [isAnswered, setAnswered] = useRememberedFlag('sprig.install-answered', false);
  // However it was installed, e.g. from the browser's own menu. The browser is outside of React.
  useEffect(() => {
    const done = () => setAnswered(true);
    window.addEventListener('appinstalled', done);
    return () => window.removeEventListener('appinstalled', done);
  }, [setAnswered]);
  const offer = isUsed && !isAnswered && installOffer();
  return (
    offer && (
      <Suspense>
        <InstallInvitation offer={offer} onAnswer={() => setAnswered(true)} />
      </Suspense>
    )
  );
}
