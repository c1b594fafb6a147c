import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';

/**
 * Taps twice at the middle of a button, the second time in a later task, when React has rendered. On a busy machine
 * Playwright's dblClick would be slower than a person's double tap.
 */
export async function doubleTap(button: Locator): Promise<void> {
  const at = await tap(button);
  await new Promise((resolve) => setTimeout(resolve));
  tapAt(at, 2);
}

/** Taps at the middle of a button once nothing covers it. Resolves to that point without waiting for an effect. */
export async function tap(button: Locator): Promise<Point> {
  const middle = () => {
    const { x, y, width, height } = button.element().getBoundingClientRect();
    return { clientX: x + width / 2, clientY: y + height / 2 };
  };
  const isOnTop = () => button.element().contains(topmostAt(middle()));
  await expect.poll(isOnTop).toBe(true);
  const at = middle();
  tapAt(at, 1);
  return at;
}

export type Point = Pick<MouseEvent, 'clientX' | 'clientY'>;

function topmostAt({ clientX, clientY }: Point): Element | null {
  return document.elementFromPoint(clientX, clientY);
}

/** `count`: which tap in a row it is. */
export function tapAt(at: Point, count: number): void {
  const target = topmostAt(at);
  const options = { ...at, bubbles: true, cancelable: true, detail: count, view: window };
  target?.dispatchEvent(new PointerEvent('pointerdown', options));
  target?.dispatchEvent(new PointerEvent('pointerup', options));
  target?.dispatchEvent(new MouseEvent('click', options));
}
