import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import styles from './photo-viewer.module.css';
import { moveBy, type Placement, swipeOf, wholePhoto, zoomAt } from './zoom.ts';

interface Point {
  x: number;
  y: number;
}

const doubleTapScale = 2.5;

/**
 * A frame in which a photo is zoomed with two fingers, the wheel, a double tap or the keys + and -, and moved with one
 * finger or the arrow keys. While it is not zoomed, a swipe shows another photo. Another photo is shown whole in the
 * same frame, which keeps the focus.
 */
export function ZoomablePhoto({
  photoId,
  onSwipe,
  children,
}: {
  photoId: string;
  onSwipe: (direction: -1 | 1) => void;
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const swiped = useRef<Point>({ x: 0, y: 0 });
  const [placement, setPlacement] = useState<Placement>(wholePhoto);
  const [placedId, setPlacedId] = useState(photoId);
  if (placedId !== photoId) {
    setPlacedId(photoId);
    setPlacement(wholePhoto);
  }

  // React listens for `wheel` passively, so its handler cannot prevent the viewer from scrolling.
  useEffect(() => {
    const ended = new AbortController();
    const keepInPlace = (event: WheelEvent) => event.preventDefault();
    frame.current?.addEventListener('wheel', keepInPlace, { passive: false, signal: ended.signal });
    return () => ended.abort();
  }, []);

  /** A position on the screen relative to the frame's centre, and the frame's size. */
  function measure({ clientX, clientY }: { clientX: number; clientY: number }) {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect();
    const at = { x: clientX - box.x - box.width / 2, y: clientY - box.y - box.height / 2 };
    return { at, box };
  }

  function onPointerDown(event: PointerEvent): void {
    if (pointers.current.size === 0) swiped.current = { x: 0, y: 0 };
    pointers.current.set(event.pointerId, measure(event).at);
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const { at, box } = measure(event);
    const by = { x: at.x - before.x, y: at.y - before.y };
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId);
    pointers.current.set(event.pointerId, at);
    if (other) {
      const [, fixed] = other;
      const factor = distance(at, fixed) / Math.max(1, distance(before, fixed));
      const middle = { x: (at.x + fixed.x) / 2, y: (at.y + fixed.y) / 2 };
      setPlacement((current) => zoomAt(current, factor, middle, box));
    } else {
      swiped.current = { x: swiped.current.x + by.x, y: swiped.current.y + by.y };
      setPlacement((current) => moveBy(current, by, box));
    }
  }

  function onPointerUp(event: PointerEvent): void {
    const wasAlone = pointers.current.size === 1 && pointers.current.delete(event.pointerId);
    pointers.current.delete(event.pointerId);
    const direction = swipeOf(swiped.current);
    if (wasAlone && placement.scale === 1 && direction !== 0) onSwipe(direction);
  }

  const zoom = (factor: number, at: Point = { x: 0, y: 0 }) => {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect();
    setPlacement((current) => zoomAt(current, factor, at, box));
  };

  function onKeyDown(event: KeyboardEvent): void {
    const factor = keyFactors[event.key];
    if (factor) zoom(factor);
    const step = keySteps[event.key];
    if (!step || placement.scale === 1) return;
    // The viewer would show another photo.
    event.stopPropagation();
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect();
    const by = { x: step.x * box.width, y: step.y * box.height };
    setPlacement((current) => moveBy(current, by, box));
  }

  return (
    <section
      ref={frame}
      className={styles.frame}
      aria-label={`Photo, + and - zoom${placement.scale > 1 ? ', arrow keys move' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: has keys of its own
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={({ pointerId }) => pointers.current.delete(pointerId)}
      onDoubleClick={(event) => {
        if (placement.scale > 1) setPlacement(wholePhoto);
        else zoom(doubleTapScale, measure(event).at);
      }}
      onWheel={(event) => {
        // Trackpads and tilting wheels also scroll sideways.
        if (event.deltaY !== 0) zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, measure(event).at);
      }}
    >
      <div
        key={photoId}
        className={styles.zoomed}
        style={{
          transform: `translate(${placement.x}px, ${placement.y}px) scale(${placement.scale})`,
        }}
        data-scale={placement.scale}
      >
        {children}
      </div>
    </section>
  );
}

const keyFactors: Readonly<Record<string, number>> = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 };

/** How far the arrow keys move the photo, as shares of the frame's size: against their direction, as when scrolling. */
const keySteps: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: 0.2, y: 0 },
  ArrowRight: { x: -0.2, y: 0 },
  ArrowUp: { x: 0, y: 0.2 },
  ArrowDown: { x: 0, y: -0.2 },
};

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
