import { type ReactNode, useSyncExternalStore } from 'react';
import styles from './screen-reader.module.css';

let announced = '';
const listeners = new Set<() => void>();

/** Lets screen readers read out a sentence, also when it is the same as the one before. */
export function announce(sentence: string): void {
  // Screen readers do not repeat an unchanged text, so every second time a no-break space follows it.
  announced = sentence !== '' && sentence === announced ? `${sentence}\u00a0` : sentence;
  for (const listener of listeners) listener();
}

/** Clears the announced sentence if it matches, because it is no longer true. Returns whether it did. */
export function clearAnnouncement(pattern: RegExp): boolean {
  const isMatch = announced !== '' && pattern.test(announced);
  if (isMatch) announce('');
  return isMatch;
}

/** Rendered once per page. */
export function LiveRegion() {
  const sentence = useSyncExternalStore(subscribe, getAnnounced, getAnnounced);
  return (
    <p className={styles.hidden} role="status" aria-live="polite">
      {sentence}
    </p>
  );
}

function getAnnounced(): string {
  return announced;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <p className={styles.hidden}>{children}</p>;
}
