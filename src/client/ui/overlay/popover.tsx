import { type ReactNode, useId } from 'react';
import { IconButton } from '../form/button.tsx';
import styles from './popover.module.css';

/** A header's icon button that opens a panel below the header. The popover API closes it and returns the focus. */
export function Popover({
  label,
  icon,
  children,
}: {
  label: string;
  icon: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.anchor}>
      <IconButton label={label} popoverTarget={id}>
        {icon}
      </IconButton>
      <section id={id} popover="auto" className={styles.panel} aria-label={label}>
        {children}
      </section>
    </div>
  );
}

/** Closes the open popover or menu, if any, e.g. before a dialog opens. Returns whether there was one. */
export function closePopover(): boolean {
  const open = openPopover();
  open?.hidePopover();
  return open !== null;
}

/** Whether a popover or a menu is open, which Escape then closes. */
export function isPopoverOpen(): boolean {
  return openPopover() !== null;
}

function openPopover(): HTMLElement | null {
  return document.querySelector<HTMLElement>(':popover-open');
}

/**
 * For a dialog's onEscapeKeyDown: closes an open menu instead of the dialog. Radix knows only its own overlays, and
 * would close the dialog before the menu gets the key.
 */
export function closePopoverFirst(event: KeyboardEvent): void {
  if (closePopover()) event.preventDefault();
}
