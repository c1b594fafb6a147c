import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { onOpAdded } from '#client/store/outbox/enqueue.ts';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
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
 * Invites the person to install the app after the first change since the page was loaded, unless they have answered an
 * invitation or installed the app before.
 */
export function InvitationAfterChange() {
  const db = useDb();
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
