import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './picture-sheet.module.css';

interface PictureSheetProps {
  title: string;
  subtitle: string;
  /** At the left of the title. */
  picture?: ReactNode;
  onClose: () => void;
  /** What has the focus afterwards; without it, what had it before. */
  returnFocusTo?: () => HTMLElement | null;
  children: ReactNode;
}

/** A modal dialog of a screen's worth: nearly all of a phone, a large card where there is room. */
export function PictureSheet({
  title,
  subtitle,
  picture,
  onClose,
  returnFocusTo,
  children,
}: PictureSheetProps) {
  function returnFocus(event: Event): void {
    const target = returnFocusTo?.();
    if (!target) return;
    event.preventDefault();
    target.focus({ preventScroll: true });
  }
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.sheet}
          onOpenAutoFocus={focusWhole}
          onCloseAutoFocus={returnFocus}
        >
          <header className={styles.header}>
            {picture}
            <div className={styles.names}>
              <RadixDialog.Title>{title}</RadixDialog.Title>
              <RadixDialog.Description>{subtitle}</RadixDialog.Description>
            </div>
            <IconButton label="Close dialog" onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The first thing in it is the button that closes it: not what a person came for. */
function focusWhole(event: Event): void {
  event.preventDefault();
  if (event.target instanceof HTMLElement) event.target.focus();
}
