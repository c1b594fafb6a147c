import { createMemoryHistory, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { Landing } from '#features/landing/landing.tsx';
import { routeTree } from '#routes/routeTree.gen.ts';

/** The landing page as plain markup, for a build that serves it without waiting for any script. */
export function renderLanding(): string {
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: ['/landing'] }),
  });
  return renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <Landing />
    </RouterContextProvider>,
  );
}
