import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';

// Run by the build: the markup of pages that are shown before any script has arrived.

export function renderLanding(): Promise<string> {
  return markupAt('/landing');
}

/** As React expects it when it takes the form over. */
export function renderSignIn(): Promise<string> {
  return markupAt('/signin');
}

async function markupAt(address: string): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter({ history, isServer: true });
  await router.load();
  return withoutHead(renderToString(<App router={router} />));
}

/** React puts first what belongs into the head, which the page has there. The screen is in a Suspense boundary. */
function withoutHead(markup: string): string {
  const start = markup.indexOf('<!--$-->');
  if (start === -1) throw new Error('The markup has no screen');
  return markup.slice(start);
}
