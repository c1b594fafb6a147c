import type { ReactNode } from 'react';
import { EmptyState, Spinner } from '#client/ui/feedback/screen-state.tsx';
import { moveFocusOnRemoval } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { pictureUrl } from './card/plant-picture.tsx';
import { type Garden, useFirstLoad, useRetryLoad } from './use-garden.ts';

/** Shows the screen when there are plants on the device; otherwise a spinner, an error or the empty state. */
export function PlantsGate({
  garden,
  texts,
  emptyAction,
  children,
}: {
  garden: Garden | undefined;
  texts: { loading: string; failed: string; empty: string; emptyHint: string };
  /** An action that the empty state offers. */
  emptyAction?: ReactNode;
  children: (garden: Garden) => ReactNode;
}) {
  const load = useFirstLoad();
  if (garden && garden.plants.length > 0) return children(garden);
  if (load === 'failed') {
    return (
      <EmptyState title={texts.failed} isError>
        <RetryLoad />
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

/** The button stays enabled while it retries, so that it keeps the focus. Another tap tries again despite a backoff. */
export function RetryLoad() {
  const [retry, isRetrying] = useRetryLoad();
  return (
    <Button ref={moveFocusOnRemoval} onClick={retry} aria-busy={isRetrying}>
      {isRetrying ? 'Trying again...' : 'Try Again'}
    </Button>
  );
}
