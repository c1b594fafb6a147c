import {
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isFocusLost } from '../focus.ts';
import { ignoreSecondPress } from '../overlay/second-tap.ts';

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

/** A list of any length that renders ahead of the viewport and keeps the focus. Only one per screen. */
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

interface FocusPlace {
  control: HTMLElement;
  item: Element;
  /** The items of the list when it was last rendered. */
  items: readonly Element[];
}

/**
 * For a list whose items and controls disappear, e.g. because of a filter, or move. If the focused control is removed,
 * the focus moves within its item. If the item is removed too, or moves while the control is disabled, the focus moves
 * to the next item, or to the previous one if none follows. In the item it moves to the control with the same
 * `data-control`, or else to the first link or button.
 */
function useListFocus(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<FocusPlace | null>(null);
  // Before the paint, because an item of the list may get the focus right after it.
  useLayoutEffect(() => {
    const onFocusIn = ({ target }: Event) => {
      place.current = list.current && placeOf(target, list.current);
    };
    const onPointerDown = ({ target }: Event) => {
      // A tap on an element that cannot have the focus takes it away without a `focusin` event.
      if (!(target instanceof Node && place.current?.control.contains(target)))
        place.current = null;
    };
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, []);
  useLayoutEffect(() => {
    const left = place.current;
    if (!left || !list.current) return;
    const items = [...list.current.children];
    const { isConnected } = left.control;
    const mustMove = isFocusLost(list.current) && (!isConnected || hasMoved(left, items));
    if (mustMove) moveFocus(left);
    else if (isConnected) place.current = { ...left, items };
  });
  return list;
}

/** Whether the item has neither of its former neighbours any more, apart from items that were added or removed. */
function hasMoved({ item, items }: FocusPlace, current: readonly Element[]): boolean {
  const [previous, next] = neighboursOf(
    item,
    items.filter((one) => current.includes(one)),
  );
  const [previousNow, nextNow] = neighboursOf(
    item,
    current.filter((one) => items.includes(one)),
  );
  return previous !== previousNow && next !== nextNow;
}

function neighboursOf(item: Element, items: readonly Element[]) {
  const at = items.indexOf(item);
  return [items[at - 1], items[at + 1]] as const;
}

function placeOf(target: EventTarget | null, list: Element): FocusPlace | null {
  const items = [...list.children];
  const item = items.find((one) => target instanceof Node && one.contains(target));
  return item && target instanceof HTMLElement ? { control: target, item, items } : null;
}

function moveFocus({ control, item, items }: FocusPlace): void {
  const at = items.indexOf(item);
  const others = [...items.slice(at + 1), ...items.slice(0, at).reverse()];
  const candidates = control.isConnected ? others : [item, ...others];
  const nearest = candidates.find((one) => one.isConnected && one.ariaHidden !== 'true');
  const name = control.dataset.control;
  const same = name && nearest?.querySelector<HTMLElement>(`[data-control="${name}"]`);
  const target = same || nearest?.querySelector<HTMLElement>('a, button');
  if (!target) return;
  ignoreSecondPress(target);
  target.focus();
}
