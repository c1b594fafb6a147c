import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { routeTree } from '#client/routes/routeTree.gen.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { Button } from '#client/ui/form/button.tsx';

export type AppRouter = ReturnType<typeof createAppRouter>;

/** Without arguments it uses the page's URL; the build passes one to prerender. */
export function createAppRouter(atBuild?: { history: RouterHistory; isServer: true }) {
  return createRouter({
    routeTree,
    // It would put a script into the markup.
    scrollRestoration: !atBuild,
    defaultPreload: 'intent',
    defaultErrorComponent: BrokenScreen,
    ...atBuild,
  });
}

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
    router: AppRouter;
  }
}
