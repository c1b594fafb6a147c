declare global {
  interface Window {
    /** ms: the drawing alone, and from the first line of the page's script. */
    painted?: { drawMs: number; scriptMs: number };
  }
}

/** Draws and notes when a frame with it has been made; `isThere` for what draws in several steps. */
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
