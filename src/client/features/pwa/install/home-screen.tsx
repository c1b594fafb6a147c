import { lazyRouteComponent } from '@tanstack/react-router';
import { useObservable } from 'dexie-react-hooks';
import { Suspense, useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { onIntent } from '#client/store/outbox/enqueue.ts';
import { watchPlants } from '#client/store/plants.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { installPrompt } from './install-prompt.ts';
import { useDueBadge } from './use-due-badge.ts';

// Most people see it once at most.
const InstallInvitation = lazyRouteComponent(
  () => import('./install-invitation.tsx'),
  'InstallInvitation',
);

/**
 * The app on the home screen: keeps the number of plants that need water on the icon, and invites the person to
 * install the app after their first change, until they have answered once.
 */
export function HomeScreen() {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  useDueBadge(plants);
  const [hasChanged, setChanged] = useState(false);
  // A live query of the queue could miss a change that is sent quickly.
  useEffect(() => onIntent(db, () => setChanged(true)), [db]);
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
