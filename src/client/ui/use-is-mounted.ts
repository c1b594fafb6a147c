import { useCallback, useEffect, useRef } from 'react';

/** Whether the component is still on the screen, for what it does after waiting. */
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
