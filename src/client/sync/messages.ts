/** What the page tells its sync worker. */
export type ToWorker =
  | { type: 'open'; dbName: string; token: string; isRemembered: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'round' }
  | { type: 'leave' }
  | { type: 'close' };

/** What the worker tells its page. Everything else is data, and read by live query. */
export type FromWorker =
  | { type: 'unauthorized'; token: string }
  /** Something waits that may have to be sent when this page is gone. */
  | { type: 'held-up'; dbName: string };
