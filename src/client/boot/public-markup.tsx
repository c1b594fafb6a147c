import { createMemoryHistory, createRouter, RouterContextProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SignInScreen } from '#client/features/account/screens/sign-in-screen.tsx';
import { Landing } from '#client/features/landing/page/landing.tsx';
import { routeTree } from '#client/routes/routeTree.gen.ts';

// Screens as plain markup, for a build that shows them without waiting for any script.

export function renderLanding(): string {
  return markupAt('/landing', <Landing />);
}

export function renderSignIn(): string {
  return markupAt('/signin', <SignInScreen news={null} onNewsRead={() => undefined} />);
}

function markupAt(address: string, screen: ReactNode): string {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree, history });
  return renderToStaticMarkup(
    <RouterContextProvider router={router}>{screen}</RouterContextProvider>,
  );
}
