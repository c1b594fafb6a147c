import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LogResponse, type LogResult, logPayloadSchema } from '#contract/logs.ts';
import type { Session } from '../accounts/session.ts';
import type { Transaction } from '../database/transaction.ts';
import { forbidden, withOwnDevice } from '../devices/device-access.ts';
import { ApiError } from '../http/api-error.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { respondOnce, type Write } from '../http/idempotency.ts';
import { validateBody } from '../http/request-input.ts';
import { type ReportedPlant, storeAndJudge } from './judge.ts';
import { plantOf, reportOf, responseTo, withOpenCommands } from './log-response.ts';
import {
  type FoundPlants,
  type LoggedPlant,
  lockLoggedPlants,
  type Report,
} from './logged-plants.ts';

/**
 * Handles POST /api/logs with an array of readings, in one transaction. Each reading has its own result, so that an
 * invalid one does not prevent the others from being stored. The watering rule is evaluated once for each plant, after
 * all are stored; the result of the plant's last reading in the array contains the commands.
 */
export async function postLogs(
  deps: AppDeps,
  request: FastifyRequest,
  items: readonly unknown[],
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { session } = request;
  const now = deps.clock();
  const checked = items.map((item) => orError(() => reportIn(item, session, now)));
  return respondOnce(
    deps,
    request,
    reply,
    (tx) => storeAll(deps, tx, session, checked),
    (tx, json) => replayAll(deps, tx, session, json),
  );
}

async function storeAll(
  { clock }: AppDeps,
  tx: Transaction,
  session: Session,
  checked: readonly (Report | ApiError)[],
): Promise<Write> {
  const { userId } = session;
  const reports = checked.filter((one): one is Report => !(one instanceof ApiError));
  const { found, locked, now } = await lockLoggedPlants(tx.$client, userId, reports, clock);
  const resolved = checked.map((report) => {
    if (report instanceof ApiError) return report;
    return orError(() => ({ report, plant: ownPlantOf(report, session, found) }));
  });
  const reported = new Map<string, ReportedPlant>();
  for (const one of resolved) {
    if (one instanceof ApiError) continue;
    const { plant, report } = one;
    const known = reported.get(plant.id) ?? { plant, reports: [] };
    reported.set(plant.id, { ...known, reports: [...known.reports, report] });
  }
  const all = [...reported.values()];
  const { commands, lastStatement } = await storeAndJudge(tx, userId, all, { locked, now });
  const results = resolved.map((one): LogResult => {
    if (one instanceof ApiError) return { status: one.status, body: one.body };
    const { plant, report } = one;
    const isLast = reported.get(plant.id)?.reports.at(-1) === report;
    const own = isLast ? (commands.get(plant.id) ?? []) : [];
    return { status: 201, body: responseTo(plant, report, own) };
  });
  return { status: 200, json: JSON.stringify({ results }), lastStatement };
}

async function replayAll({ clock }: AppDeps, tx: Transaction, { userId }: Session, json: string) {
  const { results }: { results: LogResult[] } = JSON.parse(json);
  for (const one of results) {
    if (one.status !== 201) continue;
    one.body = await withOpenCommands(tx, userId, one.body as LogResponse, clock());
  }
  return JSON.stringify({ results });
}

/**
 * Validates one reading; throws the error that becomes its result. With a device token, `device_id` defaults to the
 * token's device and must not name another one.
 */
function reportIn(item: unknown, { deviceId }: Session, now: Date): Report {
  const { value, error } = validateBody(logPayloadSchema, withOwnDevice(deviceId, item));
  if (error) throw error;
  if (deviceId !== null && value.device_id !== deviceId) throw forbidden();
  return reportOf(value, now);
}

function ownPlantOf(report: Report, { deviceId }: Session, found: FoundPlants): LoggedPlant {
  const plant = plantOf(report, found);
  if (deviceId !== null && plant.device_id !== deviceId) throw forbidden();
  return plant;
}

function orError<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
