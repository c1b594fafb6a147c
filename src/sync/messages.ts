/** What the page tells its sync worker. */
export type ToWorker =
  | { type: 'open'; dbName: string; token: string }
  | { type: 'visible'; visible: boolean }
  | { type: 'round' }
  | { type: 'leave' }
  | { type: 'close' };

/** What the worker tells its page. Everything else is data, and read by live query. */
export type FromWorker = { type: 'unauthorized'; token: string };
