import type { MessageResponse } from '#contract/plants.ts';
import {
  type CalendarState,
  calendarPaths,
  calendarPayloadSchema,
  type NewCalendar,
} from '#contract/settings/calendar.ts';
import { notFound } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { changeFeed, deleteFeed, readFeed, renewFeed, stateOf } from './queries.ts';

/** Settings of the account's calendar feed. */
export function calendarRoutes(app: App, { db, clock, publicUrl }: AppDeps): void {
  app.get(calendarPaths.settings, async ({ session }): Promise<CalendarState> => {
    return stateOf(await readFeed(db.orm, session.userId));
  });

  // Not through respondOnce: it stores the response, and only the hash of the secret may be stored.
  app.post(calendarPaths.settings, async ({ session }, reply) => {
    const { feed, secret } = await renewFeed(db.orm, session.userId, clock());
    const url = `${publicUrl()}${calendarPaths.feed.replace(':secret', secret)}`;
    const body: NewCalendar = { ...stateOf(feed), url };
    return reply.status(201).header('cache-control', 'no-store').send(body);
  });

  app.patch(
    calendarPaths.settings,
    { schema: { body: calendarPayloadSchema } },
    async ({ session, body }): Promise<CalendarState> => {
      const feed = await changeFeed(db.orm, session.userId, { isPerPlant: body.is_per_plant });
      if (!feed) throw notFound('Calendar');
      return stateOf(feed);
    },
  );

  app.delete(calendarPaths.settings, async ({ session }): Promise<MessageResponse> => {
    await deleteFeed(db.orm, session.userId);
    return { message: 'Calendar revoked' };
  });
}
