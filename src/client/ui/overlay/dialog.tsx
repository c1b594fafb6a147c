import * as RadixDialog from '@radix-ui/react-dialog';
import { type RouterHistory, useBlocker, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ignoreInteractionAbove } from '../feedback/notice.tsx';
import { useFocusReturn } from '../focus.ts';
import { Button } from '../form/button.tsx';
import styles from './dialog.module.css';
import { closePopoverFirst } from './popover.tsx';
import { useSecondTapShield } from './second-tap.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether a dialog without a URL of its own has added this history entry. */
    isDialog?: boolean;
  }
}

/** A modal dialog: traps the focus, closes on Escape and on a tap outside, and returns the focus when it closes. */
export function Dialog({
  title,
  description,
  fields,
  closesOnBack = false,
  focusFallback,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  /** Inputs above the buttons. */
  fields?: ReactNode;
  /** For a dialog without a URL of its own: Back closes it instead of leaving the screen. */
  closesOnBack?: boolean;
  /** Gets the focus after closing if the element that had it before was removed. */
  focusFallback?: () => HTMLElement | null;
  onClose: () => void;
  /** The buttons. */
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn(focusFallback);
  useSecondTapShield();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      {closesOnBack && <CloseOnBack onClose={onClose} />}
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
  closesOnBack = false,
  keep: [keepLabel, onKeep],
  discard: [discardLabel, onDiscard],
}: {
  title: string;
  description: string;
  closesOnBack?: boolean;
  keep: Choice;
  discard: Choice;
}) {
  return (
    <Dialog title={title} description={description} closesOnBack={closesOnBack} onClose={onKeep}>
      <Button look="quiet" onClick={onKeep}>
        {keepLabel}
      </Button>
      <Button look="danger" onClick={onDiscard}>
        {discardLabel}
      </Button>
    </Dialog>
  );
}

/** Number of dialogs on the screen that Back closes. */
let closedByBack = 0;

/** Whether Back closes a dialog instead of leaving the screen. */
export function isClosedByBack(): boolean {
  return closedByBack > 0;
}

/**
 * While it is mounted, the browser's Back button calls `onClose` instead of leaving the screen.
 *
 * The router can block Back only between entries of the page. If the screen is the page's first entry, e.g. after the
 * start of the installed app, the dialog gets an entry of its own, which is left when it closes. It uses the entry of an
 * earlier dialog if the page is still or again in it, e.g. after a reload or Forward.
 */
function CloseOnBack({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const hasOwnEntry = useRef(false);
  useEffect(() => {
    const { history } = router;
    closedByBack += 1;
    const isInEntry = history.location.state.isDialog === true;
    hasOwnEntry.current = isInEntry || !history.canGoBack();
    if (hasOwnEntry.current && !isInEntry) {
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: (state) => ({ ...state, isDialog: true }),
        resetScroll: false,
        hashScrollIntoView: false,
        ignoreBlocker: true,
      });
    }
    const ownIndex = history.location.state.__TSR_index;
    return () => {
      closedByBack -= 1;
      // Later, because in development React mounts every component twice.
      queueMicrotask(() => {
        const isInOwnEntry = history.location.state.__TSR_index === ownIndex;
        if (hasOwnEntry.current && closedByBack === 0 && isInOwnEntry) leaveEntry(router);
      });
    };
  }, [router]);
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false;
      const isInOwnEntry = hasOwnEntry.current;
      hasOwnEntry.current = false;
      onClose();
      return !isInOwnEntry;
    },
  });
  return null;
}

/**
 * Goes back to the entry of the screen. If the URL was replaced while the dialog was open, e.g. by the sign-in page after
 * a sign-out, the new URL also replaces that of the screen, as it would without the dialog.
 */
function leaveEntry(router: ReturnType<typeof useRouter>): void {
  const history: RouterHistory = router.history;
  let { href } = history.location;
  const stop = history.subscribe(({ location, action }) => {
    if (action.type === 'REPLACE') {
      href = location.href;
      return;
    }
    stop();
    if (action.type !== 'BACK' || location.href === href) return;
    void router.navigate({ href, replace: true, resetScroll: false, ignoreBlocker: true });
  });
  history.back();
}
