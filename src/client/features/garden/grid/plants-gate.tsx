import type { ReactNode } from 'react';
import { useDb } from '#client/session/current.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { pictureUrl } from '../card/plant-pictures.ts';
import { loadAgain } from './load-again.ts';
import type { ShownPlant } from './shown-plant.ts';
import { useFirstLoad } from './use-first-load.ts';

/** Loading, failed or empty, else the screen. With plants on the device there is always something to show. */
export function PlantsGate({
  plants,
  texts,
  emptyAction,
  children,
}: {
  plants: ShownPlant[] | undefined;
  texts: { loading: string; failed: string; empty: string; emptyHint: string };
  /** What to do about an empty collection. */
  emptyAction?: ReactNode;
  children: (plants: ShownPlant[]) => ReactNode;
}) {
  const db = useDb();
  const load = useFirstLoad();
  if (plants && plants.length > 0) return children(plants);
  if (load === 'failed') {
    return (
      <EmptyState title={texts.failed} isError>
        <Button onClick={() => loadAgain(db)}>Try Again</Button>
      </EmptyState>
    );
  }
  if (!plants || load === 'loading') return <Spinner label={texts.loading} />;
  return (
    <EmptyState title={texts.empty} picture={pictureUrl('default-plant')}>
      <p>{texts.emptyHint}</p>
      {emptyAction}
    </EmptyState>
  );
}
