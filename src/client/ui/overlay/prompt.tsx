import type { ReactNode } from 'react';
import { moveFocusOnRemoval, moveFocusOut } from '../focus.ts';
import styles from './prompt.module.css';
import { useHasPaused } from './use-has-paused.ts';

/**
 * An offer at the lower edge of the screen. It does not take the focus and stays until it is answered. It appears in
 * the first pause between taps.
 */
export function Prompt({
  kind,
  text,
  children,
}: {
  /** While a prompt of the kind `update` is shown, no other prompt is. */
  kind: 'update' | 'install';
  text: ReactNode;
  children: ReactNode;
}) {
  const isShown = useHasPaused();
  if (!isShown) return null;
  return (
    <div
      ref={kind === 'update' ? replaceOtherPrompt : moveFocusOnRemoval}
      className={styles.prompt}
      role="status"
      data-prompt={kind}
    >
      <p>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

/** The style sheet hides the other prompt. */
function replaceOtherPrompt(element: HTMLElement | null): () => void {
  for (const other of document.querySelectorAll('[data-prompt="install"]')) moveFocusOut(other);
  return moveFocusOnRemoval(element);
}
