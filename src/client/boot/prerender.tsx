import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { App, createAppRouter } from './app.tsx';

// Run by the build: renders the pages that are shown before any script has been loaded.

export function renderLanding(): Promise<string> {
  return markupAt('/landing');
}

/** The markup of the sign-in screen as React expects it for hydration. */
export function renderSignIn(): Promise<string> {
  return markupAt('/signin');
}

async function markupAt(path: string): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter({ history, isServer: true });
  await router.load();
  return withoutHead(renderToString(<App router={router} />));
}

/**
 * Removes the head elements that React renders first. The page has its own; the screen begins at its Suspense boundary.
 */
function withoutHead(markup: string): string {
  const start = markup.indexOf('<!--$-->');
  if (start === -1) throw new Error('The markup has no screen');
  return markup.slice(start);
}
