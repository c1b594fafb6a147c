import type { ReactNode } from 'react';
import { useDb } from '#client/session/current.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { pictureUrl } from './card/plant-pictures.ts';
import { retryLoad, useFirstLoad } from './use-first-load.ts';
import type { Garden } from './use-garden.ts';

/** Shows the screen when there are plants on the device, else that they are loading, could not be loaded, or are none. */
export function PlantsGate({
  garden,
  texts,
  emptyAction,
  children,
}: {
  garden: Garden | undefined;
  texts: { loading: string; failed: string; empty: string; emptyHint: string };
  /** Offered in an empty collection. */
  emptyAction?: ReactNode;
  children: (garden: Garden) => ReactNode;
}) {
  const db = useDb();
  const load = useFirstLoad();
  if (garden && garden.plants.length > 0) return children(garden);
  if (load === 'failed') {
    return (
      <EmptyState title={texts.failed} isError>
        <Button onClick={() => retryLoad(db)}>Try Again</Button>
      </EmptyState>
    );
  }
  if (!garden || load === 'loading') return <Spinner label={texts.loading} />;
  return (
    <EmptyState title={texts.empty} picture={pictureUrl('default-plant')}>
      <p>{texts.emptyHint}</p>
      {emptyAction}
    </EmptyState>
  );
}
