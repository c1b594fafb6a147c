import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './sheet.module.css';
import { useFocusReturn } from './use-focus-return.ts';

/**
 * A dialog for work of some length: the whole screen on a phone, else up to 48rem wide. Escape, a tap outside and the
 * cross ask to close it; whether it closes is up to who opened it.
 */
export function Sheet({
  title,
  description,
  onClose,
  onOpenFocus,
  children,
}: {
  title: string;
  description: string;
  onClose: () => void;
  /** What gets the focus at first instead of the cross. */
  onOpenFocus: () => void;
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.content}
          onCloseAutoFocus={returnFocus}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            onOpenFocus();
          }}
        >
          <header className={styles.header}>
            <div>
              <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
              <RadixDialog.Description className={styles.description}>
                {description}
              </RadixDialog.Description>
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close">
                <X aria-hidden />
              </IconButton>
            </RadixDialog.Close>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
