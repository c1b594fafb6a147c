import { useEffect } from 'react';

/** The second tap of a double tap comes within this time (ms) and this far away at most (CSS pixels). */
const withinMs = 300;
const reachPx = 16;

/**
 * For a dialog that a tap on one of its buttons closes: the second tap of a double tap must not press what is below,
 * e.g. Water Now of a card. It hits an invisible square at that place, which covers nothing else and is soon removed.
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
 * The same for a part of a dialog that a tap replaces, e.g. a step of a form: the second tap on Next must not press
 * Save.
 */
export function SecondTapShield(): null {
  useSecondTapShield();
  return null;
}

/**
 * The same for a button that stays or is soon replaced by another one at its place, e.g. in a list that is sorted
 * again: called with the click.
 *
 * The time counts from this call, not from the tap: on a slow phone the page may need longer than that to react, and
 * the second tap waits in the browser until it has.
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
