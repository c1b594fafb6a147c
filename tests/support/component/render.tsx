import { type ReactNode, useEffect } from 'react';
import { type RenderResult, render as startRendering } from 'vitest-browser-react';

/**
 * Renders `ui` and returns once its first effects have run. The library waits for effects with act(), which React's
 * production build does not have, so there it returns earlier.
 */
export async function render(ui: ReactNode): Promise<RenderResult> {
  const rendered = Promise.withResolvers<void>();
  const screen = await startRendering(<AfterEffects run={rendered.resolve}>{ui}</AfterEffects>);
  await rendered.promise;
  return screen;
}

/** Effects of children run before those of their parent. */
function AfterEffects({ run, children }: { run: () => void; children: ReactNode }) {
  useEffect(run, [run]);
  return children;
}
