import { uuidv7 } from 'uuidv7';
import { plantPaths, waterQuerySchema } from '#contract/plants.ts';
import { maxBackDays } from '#domain/journal/entry.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { idempotencyKeyOf, respondOnce } from '../http/idempotency.ts';
import { isUuid } from '../http/request-input.ts';
import { changedJournal } from '../journal/changed-journal.ts';
import { pastTimeOf } from '../journal/past-time.ts';
import { isKnownEntry } from '../journal/queries.ts';
import { lockRequestedPlant } from '../plants/owned-plant.ts';
import { waterByHand } from './record-watering.ts';

const wateredAtRule = { loc: ['query', 'watered_at'], backDays: maxBackDays };

export function wateringRoutes(app: App, deps: AppDeps): void {
  app.post(plantPaths.water, { schema: { querystring: waterQuerySchema } }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      const now = deps.clock();
      const { watered_at, amount: amountMl = null } = request.query;
      const at = watered_at === undefined ? now : pastTimeOf(watered_at, wateredAtRule, now);
      // The client chooses the entry's id, so that it knows the id before the response arrives.
      const key = idempotencyKeyOf(request);
      const id = key !== null && isUuid(key) ? key : uuidv7();
      if (!(await isKnownEntry(tx.$client, plant, id))) {
        await waterByHand(tx, plant, { id, at, amountMl, note: null }, now);
      }
      return await changedJournal(deps, tx, plant, { entryId: id });
    }),
  );
}
