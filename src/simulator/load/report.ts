import * as v from 'valibot';
import { createLogRequest, type LogPayload, logAnswerSchema } from '#contract/logs.ts';
import type { ApiRequest } from '#contract/request.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { type Device, soak } from '../device/device.ts';
import { accepted, type Received } from '../device/exchange.ts';
import { removeReported, runCommands } from '../device/pump.ts';

/** How many results one log may carry. */
const resultsPerLog = 100;

export interface ReportOptions {
  /** The fields that identify the device or plant; empty where the token does. */
  address: Pick<LogPayload, 'plant_id' | 'device_id'>;
  send: (request: ApiRequest) => Promise<Received>;
  /** ms */
  now: () => number;
  /** Called when a reading was accepted; the commands in its answer made the pump give so many ml. */
  onTold?: (reading: ReadingLog, ranMl: number) => void;
}

/**
 * Reports the queued readings, oldest first, with the results of commands, and runs the commands of each answer.
 * Rejects at the first failure: without an answer the reading stays queued, a refused reading is dropped.
 */
export async function report(device: Device, options: ReportOptions): Promise<void> {
  for (let reading = device.waiting[0]; reading; reading = device.waiting[0]) {
    const results = device.pump.unreported.slice(0, resultsPerLog);
    const answer = await options.send(
      createLogRequest({
        ...options.address,
        ...reading,
        ...(results.length > 0 && { command_results: results }),
      }),
    );
    if (isRefusedForGood(answer.status)) device.waiting.shift();
    const { commands } = v.parse(logAnswerSchema, accepted(answer));
    device.waiting.shift();
    removeReported(device.pump, results);
    if (device.pumped && results.length > 0) device.pumped.toldAt = options.now();
    const ranMl = runCommands(device.pump, commands, answer.serverNow);
    if (ranMl > 0) soak(device, ranMl, options.now());
    options.onTold?.(reading, ranMl);
  }
}

/** Whether the server would refuse the reading again. Other failures end with a new token or less load. */
function isRefusedForGood(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}
