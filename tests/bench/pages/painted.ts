declare global {
  interface Window {
    /** ms until the frame with the drawing: from the start of drawing, and from the start of the page's script. */
    painted?: { drawMs: number; scriptMs: number };
  }
}

/**
 * Draws, and stores in `window.painted` how long it took until the frame with the drawing. `isThere`: whether a drawing
 * in several steps is complete.
 */
export function notePainted(draw: () => void, isThere: () => boolean = () => true): void {
  const started = performance.now();
  const scriptAt = performance.getEntriesByName('script')[0]?.startTime ?? started;
  const look = () => {
    if (!isThere()) return requestAnimationFrame(look);
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const now = performance.now();
      window.painted = { drawMs: now - started, scriptMs: now - scriptAt };
    };
    return channel.port2.postMessage(null);
  };
  draw();
  requestAnimationFrame(look);
}
