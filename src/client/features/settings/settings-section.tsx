import type { ReactNode } from 'react';
import { Banner, TryAgain } from '#client/ui/feedback/banner.tsx';
import { moveFocusOut } from '#client/ui/focus.ts';
import { failureText } from './failure-text.ts';
import styles from './settings.module.css';

/** A section of the settings. Links point to it by its id. */
export function SettingsSection({
  id,
  title,
  intro,
  children,
}: {
  id: string;
  title: string;
  intro?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        {intro && <p>{intro}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}

/** Shown instead of settings that are not loaded: a loading text, or why loading failed, with a button to retry. */
export function LoadState({
  name,
  failure,
  onRetry,
}: {
  /** What is loaded: 'reminders'. */
  name: string;
  failure: Error | null;
  onRetry: () => void;
}) {
  if (!failure) {
    return (
      <p className={styles.quiet} role="status">
        Loading {name}...
      </p>
    );
  }
  return (
    <Banner look="error">
      <p>{failureText(failure)}</p>
      <TryAgain ref={focusHeadingOnRemoval} onClick={onRetry} />
    </Banner>
  );
}

/** The button disappears on a tap, and when the settings are loaded again because the network is back. */
function focusHeadingOnRemoval(button: HTMLElement | null): () => void {
  return () => moveFocusOut(button, button && headingAbove(button));
}

/** The heading of the group or the section that the element is in. */
function headingAbove(element: Element): HTMLElement | null {
  const heading = ':is(h2, h3)[tabindex="-1"]';
  return element.closest(`:has(${heading})`)?.querySelector<HTMLElement>(heading) ?? null;
}
