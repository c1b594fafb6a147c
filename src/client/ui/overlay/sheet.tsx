import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useFocusReturn } from '../focus.ts';
import { IconButton } from '../form/button.tsx';
import { ignoreInteractionAbove } from './above-dialogs.ts';
import styles from './sheet.module.css';

interface SheetProps {
  title: string;
  subtitle: string;
  /** At the left of the title. */
  picture?: ReactNode;
  /** As high as its content, where there is room; else it keeps its height whatever it shows. */
  fitsContent?: boolean;
  onClose: () => void;
  /** Gives the focus to a part of it instead of the whole. */
  onOpenFocus?: () => void;
  /** What has the focus afterwards; without it, what had it before. */
  returnFocusTo?: () => HTMLElement | null;
  children: ReactNode;
}

/**
 * A modal dialog of a screen's worth: nearly all of a phone, a large card where there is room. Escape, a tap outside
 * and the cross ask to close it; whether it closes is up to who opened it.
 */
export function Sheet({
  title,
  subtitle,
  picture,
  fitsContent,
  onClose,
  onOpenFocus,
  returnFocusTo,
  children,
}: SheetProps) {
  const returnFocus = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.sheet}
          data-fits={fitsContent || undefined}
          onOpenAutoFocus={(event) => {
            // The first thing in it is the button that closes it: not what a person came for.
            event.preventDefault();
            if (onOpenFocus) onOpenFocus();
            else if (event.target instanceof HTMLElement) event.target.focus();
          }}
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

/** What scrolls in a sheet. It can hold the focus: when the sheet opens, and when what had it goes away. */
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
