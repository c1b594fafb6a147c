import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';

/** More than a phone shows, and little enough to be drawn between two frames. */
const atFirst = 6;
const step = 12;
/** What follows by itself, step by step, whether somebody scrolls or not. */
const soon = 60;

/** By address: who comes back to a list finds it as long as it was, and so the place where they were. */
const drawn = new Map<string, number>();

/**
 * A list of any length, the only one of its screen, drawn a good piece further than somebody has scrolled. What it is
 * narrowed by starts it anew: its first items show before the rest is drawn. `isOutdated`: other items are on their way,
 * and not to wait for more of these.
 */
export function GrowingList<Item>({
  items,
  keyOf,
  className,
  narrowedBy = '',
  isOutdated = false,
  children,
}: {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  className: string | undefined;
  narrowedBy?: string;
  isOutdated?: boolean;
  children: (item: Item) => ReactNode;
}) {
  const [screen] = useState(() => globalThis.location?.pathname ?? '');
  const [grown, setGrown] = useState({ narrowedBy, limit: drawn.get(screen) ?? atFirst });
  if (grown.narrowedBy !== narrowedBy) setGrown({ narrowedBy, limit: atFirst });
  const { limit } = grown;
  const end = useRef<HTMLLIElement>(null);
  const isWhole = items.length <= limit;
  // Observed anew after each step: an end that is still in sight is no news to an observer.
  useEffect(() => {
    if (isWhole || isOutdated || !end.current) return;
    const next = limit + (limit < soon ? step : soon);
    const grow = () => {
      if (narrowedBy === '') drawn.set(screen, next);
      startTransition(() => setGrown({ narrowedBy, limit: next }));
    };
    // Somebody who types looks at the first few, and the next letter is not to wait for more than fill the window.
    if (limit < soon && narrowedBy === '') return grow();
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) grow();
      },
      { rootMargin: limit < soon ? '50% 0px' : '200% 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [screen, narrowedBy, isOutdated, isWhole, limit]);
  return (
    <ul className={className}>
      {items.slice(0, limit).map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={isWhole ? undefined : items.length}
          aria-posinset={isWhole ? undefined : index + 1}
        >
          {children(item)}
        </li>
      ))}
      {!isWhole && <li ref={end} aria-hidden />}
    </ul>
  );
}
