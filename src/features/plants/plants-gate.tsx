import type { ReactNode } from 'react';
import { useDb } from '#session/current.tsx';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { loadAgain } from './load-again.ts';
import { pictureUrl } from './plant-pictures.ts';
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
