import { useEffect, useState } from 'react';

/** Successive taps are usually less than this apart (ms). */
const pauseMs = 1_500;

/**
 * For an element that appears over the screen without a tap. It is shown after a pause between taps, so that it does
 * not receive a tap that was meant for what it covers. Returns whether there was a period of `pauseMs` without a press
 * since the component was mounted. Once true, it stays true.
 */
export function useHasPaused(): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    let timer = 0;
    const start = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        controller.abort();
        setPaused(true);
      }, pauseMs);
    };
    const listening = { capture: true, signal: controller.signal };
    window.addEventListener('pointerdown', () => clearTimeout(timer), listening);
    window.addEventListener('pointerup', start, listening);
    window.addEventListener('pointercancel', start, listening);
    start();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, []);
  return hasPaused;
}
