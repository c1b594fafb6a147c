import { useState } from 'react';

/**
 * Gives the focus back to what had it when the dialog opened, or to the screen when that is gone. Radix does it for
 * its own triggers alone.
 */
export function useFocusReturn(): () => void {
  const [opener] = useState(() => document.activeElement);
  return () => {
    const target = opener?.isConnected ? opener : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
}
