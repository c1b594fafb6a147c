import { useCallback, useState } from 'react';

/** Flags that the browser did not store, by key. */
const unstored = new Map<string, boolean>();

/** A boolean in localStorage. Without storage it lasts as long as the page. */
export function useRememberedFlag(
  key: string,
  initial: boolean,
): [boolean, (value: boolean) => void] {
  const [flag, setFlag] = useState(() => unstored.get(key) ?? read(key) ?? initial);
  const set = useCallback(
    (value: boolean) => {
      setFlag(value);
      write(key, value);
    },
    [key],
  );
  return [flag, set];
}

function read(key: string): boolean | null {
  try {
    const stored = window.localStorage.getItem(key);
    return stored === null ? null : stored === '1';
  } catch {
    return null;
  }
}

function write(key: string, value: boolean): void {
  try {
    window.localStorage.setItem(key, value ? '1' : '0');
    unstored.delete(key);
  } catch (error) {
    unstored.set(key, value);
    console.warn('This device keeps no settings:', (error as Error).message);
  }
}
