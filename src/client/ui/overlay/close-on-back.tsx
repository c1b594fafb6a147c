import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';

let mounted = 0;

/** Whether Back closes something instead of leaving the screen. */
export function isClosedByBack(): boolean {
  return mounted > 0;
}

/** While it is mounted, the browser's Back button calls `onClose` instead of leaving the screen. */
export function CloseOnBack({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    mounted += 1;
    return () => {
      mounted -= 1;
    };
  }, []);
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      const isBack = action === 'BACK';
      if (isBack) onClose();
      return isBack;
    },
  });
  return null;
}
