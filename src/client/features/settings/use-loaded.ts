import { useCallback, useEffect, useState } from 'react';

/**
 * What only the server knows: nothing of it is stored on this device. Loads it again when the network is back. `load`
 * must stay the same function.
 */
export function useLoaded<T>(load: () => Promise<T>): {
  /** Null until it is loaded. */
  value: T | null;
  failure: Error | null;
  reload: () => Promise<void>;
  /** Replaces the value by a newer one. */
  replace: (change: (known: T) => T) => void;
} {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const reload = useCallback(async () => {
    setFailure(null);
    await load().then(setValue, setFailure);
  }, [load]);
  // The first load, and another one whenever the browser reports a network.
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
