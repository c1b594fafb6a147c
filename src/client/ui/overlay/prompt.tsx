import { type ReactNode, useEffect, useState } from 'react';
import styles from './prompt.module.css';

/** Somebody who taps one thing after another does it faster than this (ms). */
const pauseMs = 1_500;

/**
 * An offer at the lower edge of the screen. It does not take the focus and stays until it is answered. It appears in
 * the first pause between taps, because a tap on what it covers would otherwise press the prompt.
 */
export function Prompt({ text, children }: { text: ReactNode; children: ReactNode }) {
  const isShown = useHasPaused();
  if (!isShown) return null;
  return (
    <div className={styles.prompt} role="status" data-prompt>
      <p>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

/** Whether nothing was pressed for `pauseMs` since the component was mounted. Once true, it stays true. */
function useHasPaused(): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    let timer = 0;
    const start = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        controller.abort();
        setPaused(true);
      }, pauseMs);
    };
    const listening = { capture: true, signal: controller.signal };
    window.addEventListener('pointerdown', () => clearTimeout(timer), listening);
    window.addEventListener('pointerup', start, listening);
    window.addEventListener('pointercancel', start, listening);
    start();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, []);
  return hasPaused;
}
