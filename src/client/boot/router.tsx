import { createRouter } from '@tanstack/react-router';
import { routeTree } from '#client/routes/routeTree.gen.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { Button } from '#client/ui/form/button.tsx';

export const router = createRouter({
  routeTree,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenScreen,
});

function BrokenScreen() {
  return (
    <EmptyState title="This screen could not be shown" isError>
      <p>What you did is kept on this device. Reloading usually helps.</p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
