import * as RadixDialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useFocusReturn } from '../focus.ts';
import { ignoreInteractionAbove } from './above-dialogs.ts';
import styles from './dialog.module.css';

/** A modal dialog: traps the focus, closes on Escape and on a tap outside, and returns the focus when it closes. */
export function Dialog({
  title,
  description,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.content}
          onInteractOutside={ignoreInteractionAbove}
          onCloseAutoFocus={returnFocus}
        >
          <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
          <RadixDialog.Description className={styles.description}>
            {description}
          </RadixDialog.Description>
          <div className={styles.actions}>{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
