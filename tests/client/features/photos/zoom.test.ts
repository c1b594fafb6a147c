import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  moveBy,
  type Placement,
  swipeOf,
  wholePhoto,
  zoomAt,
} from '#client/features/photos/zoom.ts';

const frame = { width: 400, height: 300 };
const middle = { x: 0, y: 0 };

/** The position in the frame of a point of the unscaled photo; both are relative to the centre. */
const shown = ({ scale, x, y }: Placement, at: { x: number; y: number }) => ({
  x: at.x * scale + x,
  y: at.y * scale + y,
});

test('zooms around the point under the finger', () => {
  const at = { x: 50, y: -20 };
  const zoomed = zoomAt(wholePhoto, 2, at, frame);
  expect(zoomed.scale).toBe(2);
  expect(shown(zoomed, at)).toEqual(at);
});

test('zooms in at most to a scale of five and out at most to the whole photo', () => {
  expect(zoomAt(wholePhoto, 100, middle, frame).scale).toBe(5);
  expect(zoomAt({ scale: 3, x: 100, y: 50 }, 0.01, middle, frame)).toEqual(wholePhoto);
});

test('a photo that is shown whole cannot be moved', () => {
  expect(moveBy(wholePhoto, { x: 80, y: 80 }, frame)).toEqual(wholePhoto);
});

test('property: no gesture moves an edge of the scaled area into the frame', () => {
  const gesture = fc.record({
    factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
    at: fc.record({
      x: fc.integer({ min: -200, max: 200 }),
      y: fc.integer({ min: -150, max: 150 }),
    }),
    by: fc.record({
      x: fc.integer({ min: -900, max: 900 }),
      y: fc.integer({ min: -900, max: 900 }),
    }),
  });
  const property = fc.property(fc.array(gesture, { maxLength: 10 }), (gestures) => {
    let placement = wholePhoto;
    for (const { factor, at, by } of gestures) {
      placement = moveBy(zoomAt(placement, factor, at, frame), by, frame);
    }
    const { scale, x, y } = placement;
    expect(Math.abs(x)).toBeLessThanOrEqual((frame.width * (scale - 1)) / 2 + 1e-9);
    expect(Math.abs(y)).toBeLessThanOrEqual((frame.height * (scale - 1)) / 2 + 1e-9);
  });
  fc.assert(property);
});

test.each([
  ['to the left: the next photo', { x: -80, y: 10 }, 1],
  ['to the right: the photo before', { x: 80, y: -10 }, -1],
  ['too short', { x: 30, y: 0 }, 0],
  ['mostly down', { x: 60, y: 90 }, 0],
])('a swipe %s', (_, by, direction) => {
  expect(swipeOf(by)).toBe(direction);
});
