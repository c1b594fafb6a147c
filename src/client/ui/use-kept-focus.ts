import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that is disabled while its work runs: that takes the focus from it, and afterwards it gets it back,
 * unless something else has it by then.
 */
export function useKeptFocus(isBusy: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (isBusy) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
  }, [isBusy]);
  return button;
}
