import { useCallback, useEffect, useState } from 'react';

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
