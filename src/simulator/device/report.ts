import * as v from 'valibot';
import { createLogRequest, type LogPayload, logAnswerSchema } from '#contract/logs.ts';
import type { ApiRequest } from '#contract/request.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { type Device, removeReported, runCommands, soak } from './device.ts';
import { accepted, type Received } from './exchange.ts';

/** How many results one log may carry. */
const resultsPerLog = 100;

export interface ReportOptions {
  /** The fields that identify the device or plant; empty if the token identifies it. */
  address: Pick<LogPayload, 'plant_id' | 'device_id'>;
  send: (request: ApiRequest) => Promise<Received>;
  /** ms */
  now: () => number;
  /** Called when a reading was accepted. `ranMl`: the water that the pump gave because of commands in the response. */
  onReported?: (reading: ReadingLog, ranMl: number) => void;
}

/**
 * Reports the queued readings, oldest first, with the results of commands, and runs the commands of each response.
 * Rejects at the first failure: without a response the reading stays queued, an invalid reading is dropped.
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
    if (device.pumped && results.length > 0) device.pumped.reportedAt = options.now();
    const ranMl = runCommands(device.pump, commands, answer.serverNow);
    if (ranMl > 0) soak(device, ranMl, options.now());
    options.onReported?.(reading, ranMl);
  }
}

/** Whether the server would always reject the reading. Other failures may end with a new token or less load. */
function isRefusedForGood(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}
