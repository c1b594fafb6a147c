import * as RadixDialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { ignoreInteractionAbove } from '../feedback/notice.tsx';
import { useFocusReturn } from '../focus.ts';
import { Button } from '../form/button.tsx';
import styles from './dialog.module.css';
import { closePopoverFirst } from './popover.tsx';
import { useSecondTapShield } from './second-tap.ts';

/** A modal dialog: traps the focus, closes on Escape and on a tap outside, and returns the focus when it closes. */
export function Dialog({
  title,
  description,
  fields,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  /** Inputs above the buttons. */
  fields?: ReactNode;
  onClose: () => void;
  /** The buttons. */
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn();
  useSecondTapShield();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.content}
          onEscapeKeyDown={closePopoverFirst}
          onInteractOutside={ignoreInteractionAbove}
          onCloseAutoFocus={returnFocus}
        >
          <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
          <RadixDialog.Description className={styles.description}>
            {description}
          </RadixDialog.Description>
          {fields}
          <div className={styles.actions}>{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

type Choice = readonly [label: string, onChoose: () => void];

/** Asks before something is discarded. Closing it without a choice counts as keep. */
export function ConfirmDiscard({
  title,
  description,
  keep: [keepLabel, onKeep],
  discard: [discardLabel, onDiscard],
}: {
  title: string;
  description: string;
  keep: Choice;
  discard: Choice;
}) {
  return (
    <Dialog title={title} description={description} onClose={onKeep}>
      <Button look="quiet" onClick={onKeep}>
        {keepLabel}
      </Button>
      <Button look="danger" onClick={onDiscard}>
        {discardLabel}
      </Button>
    </Dialog>
  );
}
