import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** For the `ref` of an element that appears after a tap: focus moves there, so screen readers read it out. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * For a button that is disabled while its work runs. Disabling takes the focus away; the button gets it back
 * afterwards unless another element has it by then.
 */
export function useFocusAfterBusy(isBusy: boolean): RefObject<HTMLButtonElement | null> {
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

/**
 * Returns the focus to the element that had it when the dialog opened, or to the screen if that element was removed.
 * Radix does this only for its own triggers.
 */
export function useFocusReturn(): () => void {
  const [opener] = useState(() => document.activeElement);
  return () => {
    const target = opener?.isConnected ? opener : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
}
