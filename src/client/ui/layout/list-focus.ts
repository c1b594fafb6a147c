import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '../focus.ts';
import { ignoreSecondPress } from '../overlay/second-tap.ts';

interface FocusPlace {
  control: HTMLElement;
  item: Element;
  /** The items of the list when it was last rendered. */
  items: readonly Element[];
}

/**
 * For a list whose items and controls disappear, e.g. because of a filter. If the focused control is removed, the focus
 * moves within its item. If the item is removed too, the focus moves to the next item, or to the previous one if none
 * follows. In the item it moves to the control with the same `data-control`, or else to the first link or button.
 */
export function useListFocus(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<FocusPlace | null>(null);
  useEffect(() => {
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
    if (left.control.isConnected) {
      place.current = { ...left, items: [...list.current.children] };
    } else if (isFocusLost(list.current)) {
      moveFocus(left);
    }
  });
  return list;
}

function placeOf(target: EventTarget | null, list: Element): FocusPlace | null {
  const items = [...list.children];
  const item = items.find((one) => target instanceof Node && one.contains(target));
  return item && target instanceof HTMLElement ? { control: target, item, items } : null;
}

function moveFocus({ control, item, items }: FocusPlace): void {
  const at = items.indexOf(item);
  const candidates = [item, ...items.slice(at + 1), ...items.slice(0, at).reverse()];
  const nearest = candidates.find((one) => one.isConnected && one.ariaHidden !== 'true');
  const name = control.dataset.control;
  const same = name && nearest?.querySelector<HTMLElement>(`[data-control="${name}"]`);
  const target = same || nearest?.querySelector<HTMLElement>('a, button');
  if (!target) return;
  ignoreSecondPress(target);
  target.focus();
}
