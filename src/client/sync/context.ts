import type { Fetch, RequestOptions } from '#client/api/send.ts';
import { type OnProgress, uploadFetch } from '#client/api/upload.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { BatchSize } from './push/batch-size.ts';

/** Dependencies of every step of the engine. All access to network, clock and storage goes through it. */
export interface SyncContext {
  db: DeviceDb;
  fetch: Fetch;
  /** A fetch that reports the progress of its upload, where there is one. */
  upload?: ((onProgress: OnProgress) => Fetch) | null;
  token: string;
  /** Device's clock, ms. */
  now: () => number;
  random: () => number;
  /** A hint for words only; nothing is decided by it. */
  isOnline: () => boolean;
  /** How many ops a request may carry, learnt from the requests before. */
  batchSize: BatchSize;
  /** Aborts when this device must stop sending: sign-out, another leader, the page going away. */
  signal: AbortSignal;
}

export function requestOptions({ token, signal, fetch }: SyncContext): RequestOptions {
  return { token, signal, fetch };
}

/** The outside world where the engine runs for real: a worker, a page or a service worker. */
export const browserContext: Pick<SyncContext, 'fetch' | 'upload' | 'now' | 'random' | 'isOnline'> =
  {
    fetch: (url, init) => fetch(url, init),
    upload: uploadFetch,
    now: Date.now,
    random: Math.random,
    isOnline: () => navigator.onLine,
  };
