export interface LinkedAbort {
  signal: AbortSignal;
  abort: () => void;
  /** Removes the listener from the outer signal. */
  unlink: () => void;
}

/** A signal that aborts when `outer` does, or when `abort` is called. Older browsers have no AbortSignal.any. */
export function linkAbort(outer?: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = () => controller.abort();
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    abort,
    unlink: () => outer?.removeEventListener('abort', abort),
  };
}
