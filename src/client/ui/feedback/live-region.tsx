import { useSyncExternalStore } from 'react';
import styles from '../layout/visually-hidden.module.css';

let said = '';
const listeners = new Set<() => void>();

/** Reads a sentence to who cannot see that something happened. */
export function announce(sentence: string): void {
  said = sentence;
  for (const listener of listeners) listener();
}

/** Takes back what was said, if it fits: it is no longer so, or no longer for whoever is here. Tells whether it did. */
export function clearAnnouncement(pattern: RegExp): boolean {
  const isFit = said !== '' && pattern.test(said);
  if (isFit) announce('');
  return isFit;
}

/** Stands once in the page. */
export function LiveRegion() {
  const sentence = useSyncExternalStore(subscribe, () => said);
  return (
    <p className={styles.hidden} role="status" aria-live="polite">
      {sentence}
    </p>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
