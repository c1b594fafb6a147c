import * as v from 'valibot';
import { headers } from '#contract/headers.ts';
import { calendarPaths } from '#contract/settings/calendar.ts';
import { notFound } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { contentEtag, etagMatches } from '../../http/etag.ts';
import { limitAttempts } from '../../http/rate-limit.ts';
import { feedText } from './feed-text.ts';
import { findFeed } from './feeds.ts';

const params = v.object({ secret: v.string() });

/** Needs no session, because calendar apps cannot sign in: whoever knows the URL may read the feed. */
export function calendarFeedRoute(app: App, deps: AppDeps): void {
  app.get(calendarPaths.feed, async (request, reply) => {
    // Search engines must not list the URL, and a link in an event must not send it to another site as its referrer.
    reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer');
    const { secret } = v.parse(params, request.params);
    const text = await readFeedText(deps, secret);
    if (text === null) {
      // Only wrong URLs count, because a calendar service fetches the feeds of many people from one IP address.
      await limitAttempts(deps, 'calendar', secret, request.ip);
      throw notFound('Calendar');
    }
    const etag = contentEtag(text);
    reply.header(headers.etag, etag).header('cache-control', 'private, max-age=900');
    if (etagMatches(request.headers[headers.ifNoneMatch], etag)) return reply.status(304).send();
    return reply.type('text/calendar; charset=utf-8').send(text);
  });
}

/** Null if the secret is not valid, whatever the reason. */
async function readFeedText(deps: AppDeps, secret: string): Promise<string | null> {
  const feed = await findFeed(deps.db.orm, secret);
  return feed ? await feedText(deps, feed) : null;
}
