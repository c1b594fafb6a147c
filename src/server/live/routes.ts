import { livePath } from '#contract/live.ts';
import { requirePerson } from '../accounts/session.ts';
import type { App } from '../http/app-deps.ts';
import type { Announcer } from './announcer.ts';
import type { Live } from './live.ts';

export function liveRoutes(app: App, live: Live): void {
  // A HEAD request would get a stream without an end.
  app.get(livePath, { exposeHeadRoute: false }, async (request, reply) => {
    await live.open(requirePerson(request), reply);
    return reply;
  });
}

/**
 * Announces every write of the routes registered on `app`, whether by a person or a device. It is announced when its
 * response is ready, because its transaction has ended by then. A request that was rejected with a 4xx has changed
 * nothing and is not announced. After a 5xx the change may have been committed, so it is announced.
 */
export function announceWrites(app: App, announcer: Announcer): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isRejected = reply.statusCode >= 400 && reply.statusCode < 500;
    // There is no session if the database failed while it was looked up.
    const userId: string | undefined = request.session?.userId;
    if (!isRead && !isRejected && userId !== undefined) announcer.changed(userId);
    done();
  });
}
