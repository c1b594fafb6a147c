import { useCallback, useEffect, useRef } from 'react';

/** Returns a function that returns whether the component is still mounted, for code that runs after an `await`. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(() => isMounted.current, []);
}
