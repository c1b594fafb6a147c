import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { useListFocus } from './list-focus.ts';

/** More than a phone shows, and few enough to render within a frame. */
const firstLimit = 6;
const step = 12;
/**
 * An unfiltered list that shows fewer items grows by `step` without scrolling. From this number on, every list grows by
 * this number, and only when its end is near.
 */
const eagerLimit = 60;

/** By path: returning to a screen restores the unfiltered list's length, and with it the scroll position. */
const limits = new Map<string, number>();

interface GrowingListProps<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  className: string | undefined;
  /** What the items are filtered by, or '' for no filter. When it changes, the list starts again at its first items. */
  filterKey?: string;
  /** Newer items are about to replace these, so rendering more of these would only delay them. */
  isOutdated?: boolean;
  children: (item: Item) => ReactNode;
}

/** A list of any length that renders ahead of the viewport. Only one per screen. */
export function GrowingList<Item>({
  items,
  keyOf,
  className,
  filterKey = '',
  isOutdated = false,
  children,
}: GrowingListProps<Item>) {
  const [screen] = useState(() => globalThis.location?.pathname ?? '');
  const [shown, setShown] = useState({ filterKey, limit: limits.get(screen) ?? firstLimit });
  if (shown.filterKey !== filterKey) setShown({ filterKey, limit: firstLimit });
  const { limit } = shown;
  const list = useListFocus();
  const end = useRef<HTMLLIElement>(null);
  const isComplete = items.length <= limit;
  // Observes again after each step, because an observer does not report an end that stays in view.
  useEffect(() => {
    if (isComplete || isOutdated || !end.current) return;
    const next = limit + (limit < eagerLimit ? step : eagerLimit);
    const grow = () => {
      if (filterKey === '') limits.set(screen, next);
      startTransition(() => setShown({ filterKey, limit: next }));
    };
    // Below `eagerLimit`, a filtered list grows only when its end is at most half a window below the visible part, so
    // that less is rendered for each keystroke.
    if (limit < eagerLimit && filterKey === '') return grow();
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) grow();
      },
      { rootMargin: limit < eagerLimit ? '50% 0px' : '200% 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [screen, filterKey, isOutdated, isComplete, limit]);
  return (
    <ul ref={list} className={className}>
      {items.slice(0, limit).map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={isComplete ? undefined : items.length}
          aria-posinset={isComplete ? undefined : index + 1}
        >
          {children(item)}
        </li>
      ))}
      {!isComplete && <li ref={end} aria-hidden />}
    </ul>
  );
}
