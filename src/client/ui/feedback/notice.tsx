import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { moveFocusOnRemoval } from '../focus.ts';
import { shieldSecondTaps } from '../overlay/second-tap.ts';
import styles from './notice.module.css';

/** A card about a problem in the background, or about a change that can be undone. Its caller removes it. */
export function Notice({
  look,
  title,
  children,
  actions,
  isUrgent,
}: {
  look: 'bad' | 'info';
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Screen readers read it out at once. */
  isUrgent?: boolean;
}) {
  return (
    <section
      ref={moveFocusOnRemoval}
      className={styles.notice}
      data-look={look}
      aria-label="Notice"
      role={isUrgent ? 'alert' : undefined}
    >
      <div className={styles.words}>
        <p>{title}</p>
        {children}
      </div>
      {actions && (
        <div className={styles.actions} ref={shieldSecondTaps}>
          {actions}
        </div>
      )}
    </section>
  );
}

/**
 * The container of the notices, sticky at the bottom edge: it takes up space after the content, so that the end of a
 * page is not hidden behind it. While a dialog is open, it is at the top or, where there is room, beside the dialog. It
 * is rendered even when empty, because an opening dialog hides everything but live regions from screen readers.
 */
export function NoticeStack({ children }: { children: ReactNode }) {
  const stack = useRef<HTMLDivElement>(null);
  // Dialogs begin below the notices. CSS alone does not know their height.
  useLayoutEffect(() => {
    const element = stack.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--notices-height', `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--notices-height');
    };
  }, []);
  return (
    <div className={styles.stack} ref={stack} aria-live="off" {...aboveDialogs}>
      {children}
    </div>
  );
}

/** Marks an element that is displayed above dialogs without being part of one, e.g. the notices. */
const aboveDialogs = { 'data-above-dialogs': '' };

/** For a dialog's onInteractOutside: a tap on an element above the dialog does not close it. */
export function ignoreInteractionAbove(event: CustomEvent<{ originalEvent: Event }>): void {
  const { target } = event.detail.originalEvent;
  if (!(target instanceof Element)) return;
  // The dialog may receive a tap's event after the tapped notice was removed.
  if (!target.isConnected || target.closest('[data-above-dialogs]')) event.preventDefault();
}
