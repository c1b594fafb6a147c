import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../form/button.tsx';
import styles from './menu.module.css';
import { shieldSecondTap } from './second-tap.ts';

export interface MenuItem {
  label: string;
  icon: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
}

const gapPx = 4;

/**
 * A button that opens a menu of actions. It shows an icon, and `text` if there is one. The popover API provides the top
 * layer, Escape and light dismissal. A closed menu renders no items, because long lists have a menu in each row.
 */
export function Menu({
  label,
  icon,
  text,
  look = 'quiet',
  items,
  ...rest
}: {
  label: string;
  icon: ReactNode;
  text?: string;
  look?: 'primary' | 'quiet';
  items: readonly MenuItem[];
  /**
   * The name of the button's function, the same in every item of a list. useListFocus uses it to find the same button
   * in another item.
   */
  'data-control'?: string;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  /** Fills and places the menu before it is painted, so that it never jumps. */
  function onBeforeToggle(isOpening: boolean): void {
    if (!isOpening || !button.current || !panel.current) return;
    flushSync(() => setOpen(true));
    place(panel.current, button.current.getBoundingClientRect(), items.length);
  }

  function onToggle(isOpened: boolean): void {
    setOpen(isOpened);
    if (isOpened && panel.current) focusItem(panel.current, itemsOf(panel.current)[0]);
  }

  // Scrolling is outside of React. The menu moves when the page scrolls, but not when a scrolling part of it does, e.g. a
  // dialog: there it would stay beside another item.
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ target }: Event) => {
      if (target instanceof Element && target.contains(button.current))
        panel.current?.hidePopover();
    };
    document.addEventListener('scroll', close, { capture: true });
    return () => document.removeEventListener('scroll', close, { capture: true });
  }, [isOpen]);

  const trigger = {
    ...rest,
    ref: button,
    popoverTarget: id,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    className: styles.button,
  } as const;
  return (
    <>
      {text === undefined ? (
        <IconButton {...trigger} label={label}>
          {icon}
        </IconButton>
      ) : (
        <Button {...trigger} look={look} aria-label={label}>
          {icon} {text}
        </Button>
      )}
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles.panel}
        onBeforeToggle={(event) => onBeforeToggle(event.newState === 'open')}
        onToggle={(event) => onToggle(event.newState === 'open')}
        onKeyDown={moveFocus}
      >
        {isOpen &&
          items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={item.isDisabled}
              className={item.isDanger ? styles.danger : undefined}
              onClick={(event) => {
                shieldSecondTap(event);
                panel.current?.hidePopover();
                item.onSelect();
              }}
            >
              {item.icon} {item.label}
            </button>
          ))}
      </div>
    </>
  );
}

function itemsOf(panel: Element): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>('[role="menuitem"]:enabled')];
}

/**
 * Scrolls only the menu. The browser would also scroll the page below, because its header covers where the item is, and
 * the menu scrolls with the page.
 */
function focusItem(panel: HTMLElement, item: HTMLElement | undefined): void {
  if (!item) return;
  item.focus({ preventScroll: true });
  const { offsetTop: top, offsetHeight } = item;
  const hidden = top + offsetHeight + gapPx - panel.clientHeight;
  panel.scrollTop = Math.min(top - gapPx, Math.max(panel.scrollTop, hidden));
}

/** The widest menu, in heights of its button. */
const maxWidth = 4.5;

/**
 * Places the menu below its button, or above it if there is no room below. If there is no room above either, it begins
 * at the top of the screen, and its items scroll if necessary. It is aligned right, or left if there is no room for
 * that. It scrolls with the page.
 */
function place(panel: HTMLElement, anchor: DOMRect, itemCount: number): void {
  // At every text size an item is as high as the button.
  const height = itemCount * anchor.height + 3 * gapPx;
  const fits = anchor.bottom + gapPx + height <= window.innerHeight;
  const top = fits ? anchor.bottom + gapPx : Math.max(gapPx, anchor.top - gapPx - height);
  panel.style.top = `${window.scrollY + top}px`;
  panel.style.maxHeight = `${window.innerHeight - top - gapPx}px`;
  const room = document.documentElement.clientWidth;
  const isLeft = anchor.right < maxWidth * anchor.height && anchor.right < room - anchor.left;
  panel.style.left = isLeft ? `${anchor.left}px` : 'auto';
  panel.style.right = isLeft ? 'auto' : `${room - anchor.right}px`;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const panel = event.currentTarget;
  const items = itemsOf(panel);
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === 'Tab') panel.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  focusItem(panel, items.at(next % items.length));
}
