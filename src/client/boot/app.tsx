import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { routeTree } from '#client/routes/routeTree.gen.ts';
import { EmptyState } from '#client/ui/feedback/screen-state.tsx';
import { focusIfLost } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { isScreenCovered } from '#client/ui/layout/covered-screen.ts';
import styles from './app.module.css';

/** `onShown` is called once the first screen has been painted. */
export function App({ router, onShown }: { router: AppRouter; onShown?: () => void }) {
  // In an effect, because effects run after the paint. `onShown` starts work outside of React.
  useEffect(() => {
    removePageTitle();
    onShown?.();
  }, [onShown]);
  // The router's events are outside of React.
  useEffect(() => followScreens(router), [router]);
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
}

/**
 * If the focused link or button is gone, moves the focus to the heading of the new screen, or of the section that the
 * URL's hash names. If the sidebar covers the screen, moves it there. Otherwise screen readers would not read the screen,
 * and the keyboard would start again at the top of the page. Returns a function that ends it.
 */
function followScreens(router: AppRouter): () => void {
  return router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    // A menu that closes when its link is followed gives the focus to its button.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.matches('[popovertarget]')) {
      activeElement.blur();
    }
    // The focus behind the sidebar would close it.
    if (isScreenCovered()) return focusIfLost(document.querySelector('#sidebar a'));
    const section = document.getElementById(toLocation.hash);
    const heading = section?.querySelector('h2') ?? document.querySelector<HTMLElement>('main h1');
    if (heading) heading.tabIndex = -1;
    focusIfLost(heading ?? document.querySelector('main'), { preventScroll: true });
  });
}

/** Removes the title of the HTML file. React inserts the screen's title before it, so the first title stays. */
function removePageTitle(): void {
  const [, ...others] = document.head.querySelectorAll('title');
  for (const title of others) title.remove();
}

export type AppRouter = ReturnType<typeof createAppRouter>;

/** Uses the page's URL; the build passes `atBuild` to prerender a given URL. */
export function createAppRouter(atBuild?: { history: RouterHistory; isServer: true }) {
  return createRouter({
    routeTree,
    // Scroll restoration would add an inline script to prerendered markup.
    scrollRestoration: !atBuild,
    defaultPreload: 'intent',
    defaultErrorComponent: BrokenScreen,
    ...atBuild,
  });
}

/** Shown if a screen, or the app's code at the start, cannot be loaded or rendered. */
export function BrokenScreen() {
  return (
    <div className={styles.broken}>
      <EmptyState title="This screen could not be shown" isError>
        <p>What you did is kept on this device. Reloading usually helps.</p>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </EmptyState>
    </div>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
