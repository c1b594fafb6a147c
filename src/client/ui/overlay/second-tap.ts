import { useEffect } from 'react';

/** A tap within this time (ms) and distance (CSS pixels) of another counts as the second tap of a double tap. */
const withinMs = 300;
const reachPx = 16;

/**
 * For a dialog that closes when one of its buttons is tapped: the second tap of a double tap must not press what is
 * below, e.g. the Water Now button of a card. For a short time an invisible square at that place receives it instead.
 */
export function useSecondTapShield(): void {
  useEffect(() => {
    let last: MouseEvent | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onClick = (event: MouseEvent) => {
      last = event;
      clearTimeout(timer);
      // A timer instead of a comparison of times: it does not fire while the page is still busy with this tap.
      timer = setTimeout(() => {
        last = null;
      }, withinMs);
    };
    window.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('click', onClick, { capture: true });
      clearTimeout(timer);
      if (last) shieldSecondTap(last);
    };
  }, []);
}

/**
 * Ignores a second tap when the part of a dialog in which it is rendered is replaced, e.g. a step of a form: the second
 * tap on Next must not press Save.
 */
export function SecondTapShield(): null {
  useSecondTapShield();
  return null;
}

/**
 * Ignores a second tap after the tap on a single button, because another button may then be at its place, e.g. in a list
 * that is sorted again.
 * Call it in the click handler.
 *
 * The time counts from this call, not from the tap: while a slow phone still handles the first tap, the browser delays
 * the second one.
 */
export function shieldSecondTap({
  clientX,
  clientY,
  detail,
}: Pick<MouseEvent, 'clientX' | 'clientY' | 'detail'>): void {
  // A click by the keyboard or a script, not by a tap.
  if (detail === 0) return;
  const square = document.createElement('div');
  // A tap on it does not close a dialog below.
  square.dataset.aboveDialogs = '';
  Object.assign(square.style, {
    position: 'fixed',
    left: `${clientX - reachPx}px`,
    top: `${clientY - reachPx}px`,
    width: `${2 * reachPx}px`,
    height: `${2 * reachPx}px`,
    zIndex: 'var(--layer-skip-link)',
    // The body has `pointer-events: none` while a dialog is open.
    pointerEvents: 'auto',
  });
  // A tap on it does not move the focus.
  square.addEventListener('mousedown', (event) => event.preventDefault());
  document.body.append(square);
  setTimeout(() => square.remove(), withinMs);
}

/**
 * The same for the keyboard. Call it for a button that gets the focus because the pressed one is removed: neither a
 * second press nor a key that is held down may press the new one.
 */
export function ignoreSecondPress(target: HTMLElement): void {
  const until = performance.now() + withinMs;
  const controller = new AbortController();
  const { signal } = controller;
  const onKeyDown = (event: KeyboardEvent) => {
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (isPress && (event.repeat || event.timeStamp < until)) event.preventDefault();
  };
  target.addEventListener('keydown', onKeyDown, { signal });
  target.addEventListener('blur', () => controller.abort(), { signal });
}

/** A `ref` that calls `shieldSecondTap` for every click in its element. */
export function shieldSecondTaps(element: HTMLElement | null): () => void {
  element?.addEventListener('click', shieldSecondTap);
  return () => element?.removeEventListener('click', shieldSecondTap);
}
