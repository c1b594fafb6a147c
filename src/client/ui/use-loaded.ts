import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Data that is loaded from the server and not stored on this device. Loads it again when the browser reports a network.
 * `load` must be the same function in every render.
 */
export function useLoaded<T>(load: () => Promise<T>): {
  /** Null until it is loaded. */
  value: T | null;
  failure: Error | null;
  reload: () => Promise<void>;
  /** Replaces the value, if one is loaded. */
  replace: (change: (known: T) => T) => void;
} {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const changes = useRef(0);
  const loads = useRef(0);
  /** The number of the load whose value is shown. */
  const shown = useRef(0);
  const reload = useCallback(async () => {
    loads.current += 1;
    const number = loads.current;
    setFailure(null);
    try {
      const loaded = await loadUnchanged(load, changes);
      // A response that arrives after that of a later load may be older.
      if (number < shown.current) return;
      shown.current = number;
      setValue(loaded);
    } catch (error) {
      if (number < loads.current) return;
      setFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }, [load]);
  useEffect(() => {
    void reload();
    const onOnline = () => void reload();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [reload]);
  const replace = useCallback((change: (known: T) => T) => {
    changes.current += 1;
    setValue((known) => (known === null ? null : change(known)));
  }, []);
  return { value, failure, reload, replace };
}

/** Loads again if the value was replaced meanwhile: the response may be older than the change. */
async function loadUnchanged<T>(load: () => Promise<T>, changes: { current: number }): Promise<T> {
  for (;;) {
    const before = changes.current;
    const loaded = await load();
    if (changes.current === before) return loaded;
  }
}
