import { useEffect, useState } from 'react';

/** Somebody who taps one thing after another does it faster than this (ms). */
const pauseMs = 1_500;

/**
 * For an element that the app shows above the screen without a tap: it waits for a pause between taps, so that it does
 * not receive a tap that was meant for what it covers. Returns whether nothing was pressed for `pauseMs` since the
 * component was mounted. Once true, it stays true.
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
