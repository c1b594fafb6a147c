import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** For the `ref` of an element that appears after a tap: focus moves there, so screen readers read it out. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/** The same for an element that appears after a wait: only if no other element has the focus by then. */
export function focusIfLost(element: HTMLElement | null, options?: FocusOptions): void {
  if (element && isFocusLost(element)) element.focus(options);
}

/**
 * Whether the focus was lost when its element was disabled or removed, so that `element` may take it. The focus is on
 * the body then. In a Radix dialog it may be on the dialog itself: Radix moves it there when it finds the focus on the
 * body while something is removed from the dialog.
 */
export function isFocusLost(element: Element): boolean {
  const { activeElement } = document;
  return !activeElement || (activeElement !== element && activeElement.contains(element));
}

/**
 * For the `ref` of an element that may be removed while it contains the focus: the focus then moves to the nearest
 * ancestor with `tabindex="-1"`, or to `main`.
 */
export function moveFocusOnRemoval(element: HTMLElement | null): () => void {
  return () => moveFocusOut(element);
}

/**
 * Moves the focus out of an element that is about to disappear, if it contains the focus: to `target`, or to the nearest
 * ancestor with `tabindex="-1"`, or to `main`.
 */
export function moveFocusOut(element: Element | null, target?: HTMLElement | null): void {
  if (!element?.contains(document.activeElement)) return;
  const around = target ?? element.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  (around ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

export type MoveFocus = (target: HTMLElement | null) => void;

/**
 * For a control that disappears once its work is done. Call it when the work starts; it returns a function that moves
 * the focus to another element, unless the person has moved it meanwhile.
 */
export function rememberFocus(): MoveFocus {
  const before = document.activeElement;
  return (target) => {
    if (!target) return;
    // Disabling the control has dropped its focus in some browsers.
    const isStillThere = document.activeElement === before || isFocusLost(target);
    if (isStillThere) target.focus({ preventScroll: true });
  };
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
    else if (hadFocus.current && button.current && isFocusLost(button.current)) {
      button.current.focus({ preventScroll: true });
    }
  }, [isBusy]);
  return button;
}

/**
 * Returns a function that gives the focus back to the element that had it when the dialog opened. If that element was
 * removed, to `fallback`, or to the dialog below, or to `main`. Radix does this only for its own triggers.
 */
export function useFocusReturn(fallback?: () => HTMLElement | null): () => void {
  const [opener] = useState(() => document.activeElement);
  return () => {
    // The body has it if a link or a reload opened the dialog.
    const hadFocus = opener?.isConnected && opener !== document.body;
    const target = hadFocus
      ? opener
      : (fallback?.() ?? topmostDialog() ?? document.querySelector('main'));
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
}

function topmostDialog(): Element | null {
  return [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? null;
}
