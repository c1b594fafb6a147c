import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import type { LogPayload } from '#contract/logs.ts';
import type { Transaction } from '../database/transaction.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { respondOnce, sendResponse } from '../http/idempotency.ts';
import { storeAndJudge } from './judge.ts';
import { plantOf, reportOf, responseTo, withOpenCommands } from './log-response.ts';
import { type LoggedPlant, lockLoggedPlants, type Report } from './logged-plants.ts';
import type { ReadingQueue } from './reading-queue.ts';

/**
 * Handles POST /api/logs with one reading. Most readings only extend the series, so they are stored without a
 * transaction of their own:
 *
 *   reading ── with an Idempotency-Key or command results ─────────┐
 *      │ otherwise                                                 │
 *      ▼                                                           ▼
 *   read the plant and its newest readings                     transaction:
 *   judge health and watering                                    lock the plant
 *      │ health and reason          they differ, the soil        read it, store the reading
 *      │ are as before              is too dry, or there         judge, now with the watering history
 *      ▼                            is no soil humidity          update the plant, issue a command
 *   store it, unless the plant has       │                         │
 *   changed since it was read ───────────┴─────────────────────▶   ▼
 *      ▼                                                       201 with commands
 *   201 without commands
 */
export async function postLog(
  deps: AppDeps,
  queue: ReadingQueue,
  request: FastifyRequest,
  log: LogPayload,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { userId } = request.session;
  const now = deps.clock();
  // Computed once, so that both attempts use the same default timestamp: if the first one failed only after its commit,
  // the second one then replaces its reading instead of storing another one.
  const report = reportOf(log, now);
  const needsTransaction =
    request.headers[headers.idempotencyKey] !== undefined || Boolean(log.command_results?.length);
  const plant = needsTransaction ? null : await queue.store(userId, report);
  if (plant) return sendResponse(reply, created(plant, report, []));
  return respondOnce(
    deps,
    request,
    reply,
    (tx) => storeOne(deps, tx, userId, report),
    async (tx, json) =>
      JSON.stringify(await withOpenCommands(tx, userId, JSON.parse(json), deps.clock())),
  );
}

async function storeOne({ clock }: AppDeps, tx: Transaction, userId: string, report: Report) {
  const { found, locked, now } = await lockLoggedPlants(tx.$client, userId, [report], clock);
  const plant = plantOf(report, found);
  const reported = [{ plant, reports: [report] }];
  const { commands, lastStatement } = await storeAndJudge(tx, userId, reported, { locked, now });
  return { ...created(plant, report, commands.get(plant.id) ?? []), lastStatement };
}

function created(plant: LoggedPlant, report: Report, commands: Parameters<typeof responseTo>[2]) {
  return { status: 201, json: JSON.stringify(responseTo(plant, report, commands)) };
}
