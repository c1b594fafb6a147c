import type { FastifyRequest } from 'fastify';
import {
  entryEditSchema,
  type JournalsResponse,
  journalLimits,
  journalPaths,
  journalQuerySchema,
  journalsQuerySchema,
  newEntrySchema,
} from '#contract/journal.ts';
import { invalid, notFound } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../http/etag.ts';
import { respondOnce } from '../http/idempotency.ts';
import { isUuid, rowIdOf } from '../http/request-input.ts';
import { lockRequestedPlant, plantIdOf, plantNotFound } from '../plants/owned-plant.ts';
import { changedJournal } from './changed-journal.ts';
import { journalCursorIn, readJournals } from './queries.ts';
import { addEntry, editEntry, removeEntry } from './write-entries.ts';

export function journalRoutes(app: App, deps: AppDeps): void {
  readingRoutes(app, deps);

  app.post(journalPaths.ofPlant, { schema: { body: newEntrySchema } }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      const { body } = request;
      const isNew = await addEntry(tx, plant, body, deps.clock());
      const status = isNew ? 201 : 200;
      return await changedJournal(deps, tx, plant, { entryId: body.id, status });
    }),
  );

  app.put(journalPaths.entry, { schema: { body: entryEditSchema } }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      const entryId = entryIdOf(request);
      await editEntry(tx, plant, entryId, request.body, deps.clock());
      return await changedJournal(deps, tx, plant, { entryId });
    }),
  );

  app.delete(journalPaths.entry, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      await removeEntry(tx, plant, entryIdOf(request), deps.clock());
      return await changedJournal(deps, tx, plant, { entryId: null });
    }),
  );
}

/** The ETags are hashes of the content, since later readings change the `soil_after` of a watering but no version. */
function readingRoutes(app: App, { db: { pool } }: AppDeps): void {
  const ofPlants = { schema: { querystring: journalsQuerySchema } };
  app.get(journalPaths.ofPlants, ofPlants, async (request, reply) => {
    const ids = request.query.plants.filter(isUuid);
    const page = { limit: journalLimits.entriesOfEach, before: null };
    const journals = await readJournals(pool, request.session.userId, ids, page);
    const response: JournalsResponse = { journals: Object.fromEntries(journals) };
    const json = JSON.stringify(response);
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });

  const ofPlant = { schema: { querystring: journalQuerySchema } };
  app.get(journalPaths.ofPlant, ofPlant, async (request, reply) => {
    const id = plantIdOf(request).toLowerCase();
    const { before, limit = journalLimits.page } = request.query;
    const cursor = before === undefined ? null : journalCursorIn(before);
    if (before !== undefined && !cursor) throw invalid(['query', 'before'], 'Must be a `next`');
    const page = { limit, before: cursor };
    const journals = await readJournals(pool, request.session.userId, [id], page);
    const journal = journals.get(id);
    if (!journal) throw plantNotFound();
    const json = JSON.stringify(journal);
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });
}

function entryIdOf(request: FastifyRequest): string {
  const id = rowIdOf(request, 'entry');
  if (id === null) throw notFound('Entry');
  return id;
}
