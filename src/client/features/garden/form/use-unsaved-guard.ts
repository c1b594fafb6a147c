import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { getSession } from '#client/session/session.ts';

/**
 * Holds every way out of the screen while something would be lost: `question` is there while the person is to be
 * asked. After `release` nothing is held any more. The end of a session is not held: there is nothing to return to.
 */
export function useUnsavedGuard(isDirty: boolean) {
  const isReleased = useRef(false);
  const holds = useCallback(
    () => isDirty && !isReleased.current && getSession().status === 'signed-in',
    [isDirty],
  );
  const blocker = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  });
  return {
    question: blocker.status === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : null,
    release: () => {
      isReleased.current = true;
    },
  };
}
