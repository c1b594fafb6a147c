import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { getSession } from '#client/session/session.ts';

/**
 * Blocks every way out of the screen while a draft would be lost; `question` is set while the person has to decide.
 * `release` ends that. The end of a session is never blocked, since there is no screen to stay on.
 */
export function useUnsavedGuard(isDirty: boolean) {
  const isReleased = useRef(false);
  const blocks = useCallback(
    () => isDirty && !isReleased.current && getSession().status === 'signed-in',
    [isDirty],
  );
  const blocker = useBlocker({
    shouldBlockFn: blocks,
    enableBeforeUnload: blocks,
    withResolver: true,
  });
  return {
    question: blocker.status === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : null,
    release: () => {
      isReleased.current = true;
    },
  };
}
