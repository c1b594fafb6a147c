import { useCallback, useEffect, useState } from 'react';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { failureText } from './save-state.ts';
import styles from './settings.module.css';

/** Shown instead of settings that are not loaded: a loading text, or why loading failed. */
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
    <>
      <Banner look="error">
        <p>{failureText(failure)}</p>
      </Banner>
      <Button className={styles.action} look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}

/**
 * Data that is loaded from the server and not stored on this device. Loads it again when the browser reports a network.
 * `load` must be the same function in every render.
 */
export function useLoaded<T>(load: () => Promise<T>): {
  /** Null until it is loaded. */
  value: T | null;
  failure: Error | null;
  reload: () => Promise<void>;
  /** Replaces the value. */
  replace: (change: (known: T) => T) => void;
} {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const reload = useCallback(async () => {
    setFailure(null);
    await load().then(setValue, setFailure);
  }, [load]);
  // Load at first, and again whenever the browser reports a network.
  useEffect(() => {
    void reload();
    const onOnline = () => void reload();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [reload]);
  const replace = useCallback(
    (change: (known: T) => T) => setValue((known) => (known === null ? null : change(known))),
    [],
  );
  return { value, failure, reload, replace };
}
