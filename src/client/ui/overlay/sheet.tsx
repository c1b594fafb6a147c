import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { ignoreInteractionAbove } from '../feedback/notice.tsx';
import { useFocusReturn } from '../focus.ts';
import { IconButton } from '../form/button.tsx';
import { closePopoverFirst } from './popover.tsx';
import { useSecondTapShield } from './second-tap.ts';
import styles from './sheet.module.css';

interface SheetProps {
  title: string;
  subtitle: string;
  /** Left of the title. */
  picture?: ReactNode;
  /** On wide screens, makes the sheet as high as its content, within limits, instead of a fixed height. */
  fitsContent?: boolean;
  onClose: () => void;
  /** Focuses a part of the sheet instead of the sheet itself. */
  onOpenFocus?: () => void;
  /** Gets the focus after closing; by default the element that had it before. */
  returnFocusTo?: () => HTMLElement | null;
  /** Gets the focus after closing if the element that had it before was removed. */
  focusFallback?: () => HTMLElement | null;
  children: ReactNode;
}

/**
 * A large modal dialog: nearly the whole screen on a phone, a large card elsewhere. Escape, a tap outside and the close
 * button call `onClose`; the caller decides whether it closes.
 */
export function Sheet({
  title,
  subtitle,
  picture,
  fitsContent,
  onClose,
  onOpenFocus,
  returnFocusTo,
  focusFallback,
  children,
}: SheetProps) {
  const returnFocus = useFocusReturn(focusFallback);
  useSecondTapShield();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.sheet}
          data-fits={fitsContent || undefined}
          onOpenAutoFocus={(event) => {
            // By default the close button would get the focus, because it comes first.
            event.preventDefault();
            if (onOpenFocus) onOpenFocus();
            else if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onEscapeKeyDown={closePopoverFirst}
          onInteractOutside={ignoreInteractionAbove}
          onCloseAutoFocus={() => {
            const target = returnFocusTo?.();
            if (target) target.focus({ preventScroll: true });
            else returnFocus();
          }}
        >
          <header className={styles.header}>
            {picture}
            <div className={styles.names}>
              <RadixDialog.Title>
                <bdi>{title}</bdi>
              </RadixDialog.Title>
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

/**
 * The scrolling part of a sheet. The caller can focus it, when the sheet opens or when a focused element in the sheet
 * disappears.
 */
export function SheetBody({
  ref,
  children,
}: {
  ref: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}) {
  return (
    <div ref={ref} className={styles.body} tabIndex={-1}>
      {children}
    </div>
  );
}
