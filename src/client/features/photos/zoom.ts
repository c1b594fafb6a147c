/** How a photo is placed in its frame: scaled around the frame's centre, then moved (pixels). */
export interface Placement {
  scale: number;
  x: number;
  y: number;
}

export const wholePhoto: Placement = { scale: 1, x: 0, y: 0 };

const maxScale = 5;

interface Size {
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Scales by `factor`; the resulting scale is limited to 1–5. The point of the photo at `at` (relative to the frame's
 * centre) stays in place, unless an edge of the scaled area would move into the frame.
 */
export function zoomAt(from: Placement, factor: number, at: Point, frame: Size): Placement {
  const scale = Math.min(maxScale, Math.max(1, from.scale * factor));
  const change = scale / from.scale;
  const moved = { scale, x: at.x - (at.x - from.x) * change, y: at.y - (at.y - from.y) * change };
  return withinFrame(moved, frame);
}

/** Moves by this many pixels, but not so far that an edge of the scaled area would move into the frame. */
export function moveBy(from: Placement, by: Point, frame: Size): Placement {
  return withinFrame({ ...from, x: from.x + by.x, y: from.y + by.y }, frame);
}

function withinFrame({ scale, x, y }: Placement, { width, height }: Size): Placement {
  const limit = (size: number) => (size * (scale - 1)) / 2;
  return { scale, x: clamp(x, limit(width)), y: clamp(y, limit(height)) };
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}

const swipePx = 50;

/**
 * The direction of a horizontal swipe: 1 (to the left) for the newer photo, -1 for the older one, 0 if it is not a
 * swipe.
 */
export function swipeOf(by: Point): -1 | 0 | 1 {
  if (Math.abs(by.x) < swipePx || Math.abs(by.x) < Math.abs(by.y)) return 0;
  return by.x < 0 ? 1 : -1;
}
