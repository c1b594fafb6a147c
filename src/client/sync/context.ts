import { type OnProgress, uploadFetch } from '#client/api/photos.ts';
import type { Fetch, RequestOptions } from '#client/api/send.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { BatchSize } from './push/batch-size.ts';

/** Dependencies of every step of the engine. All access to network, clock and storage goes through it. */
export interface SyncContext {
  db: DeviceDb;
  fetch: Fetch;
  /** Creates a fetch that reports the progress of its upload; null or absent if the runtime has no XMLHttpRequest. */
  upload?: ((onProgress: OnProgress) => Fetch) | null;
  token: string;
  /** Device's clock, ms. */
  now: () => number;
  random: () => number;
  /** Only a hint for texts; no decision depends on it. */
  isOnline: () => boolean;
  /** How many ops a request may contain, adapted to the results of earlier requests. */
  batchSize: BatchSize;
  /**
   * Aborts when sending must stop: when the session ends, when the page closes or is frozen, or in a service worker
   * after 2 minutes.
   */
  signal: AbortSignal;
}

export function requestOptions({ token, signal, fetch }: SyncContext): RequestOptions {
  return { token, signal, fetch };
}

/** The real network, clock and randomness, in a worker, a page or a service worker. */
export const browserContext: Pick<SyncContext, 'fetch' | 'upload' | 'now' | 'random' | 'isOnline'> =
  {
    fetch: (url, init) => fetch(url, init),
    upload: uploadFetch,
    now: Date.now,
    random: Math.random,
    isOnline: () => navigator.onLine,
  };
