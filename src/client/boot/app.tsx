import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import type { AppRouter } from './router.tsx';

/** `onShown`: the first screen has been painted. */
export function App({ router, onShown }: { router: AppRouter; onShown?: () => void }) {
  // The document's head and the work that starts now are outside of React. Effects run after the paint.
  useEffect(() => {
    removePageTitle();
    onShown?.();
  }, [onShown]);
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
}

/** React adds a screen's title before the one that the page came with. */
function removePageTitle(): void {
  const [, ...others] = document.head.querySelectorAll('title');
  for (const title of others) title.remove();
}
