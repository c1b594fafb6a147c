import { useBlocker } from '@tanstack/react-router';

/** While it is mounted, the browser's Back button calls `onClose` instead of leaving the screen. */
export function CloseOnBack({ onClose }: { onClose: () => void }) {
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
