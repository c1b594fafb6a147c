import { livePath } from '#contract/live.ts';
import type { Operation } from '../http/openapi/operation.ts';

export const liveOperations: readonly Operation[] = [
  {
    id: 'openLive',
    method: 'get',
    path: livePath,
    tag: 'Plants',
    summary: 'Stream change events',
    description:
      'A stream of server-sent events. `open` comes at once; `change` says that plants or readings of the account changed, at most four times a second. Events carry no data: request the lists with If-None-Match after each event, also after `open`. After 25 seconds without an event there is a comment line. The stream ends with the session and when the server stops; then reconnect after a random time of up to 10 seconds. An account can have 10 streams on each server process. A further one ends the oldest stream of the same session. If that session has no stream, the response is a 429. A process also has a limit for all accounts (503).',
    caller: 'person',
    isLimited: true,
    success: { status: 200, description: 'The stream', contentType: 'text/event-stream' },
  },
];
