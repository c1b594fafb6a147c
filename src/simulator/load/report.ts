import * as v from 'valibot';
import { createLogRequest, type LogPayload, logAnswerSchema } from '#contract/logs.ts';
import type { ApiRequest } from '#contract/request.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { type Device, soak } from '../device/device.ts';
import { accepted, type Received } from '../device/exchange.ts';
import { obey, settle } from '../device/pump.ts';

/** What the wire takes with one log. */
const resultsPerLog = 100;

export interface ReportOptions {
  /** How the server knows the device; empty where its token says so. */
  address: Pick<LogPayload, 'plant_id' | 'device_id'>;
  send: (request: ApiRequest) => Promise<Received>;
  /** ms */
  now: () => number;
  /** A reading was taken, and its answer made the pump give so many ml. */
  onTold?: (reading: ReadingLog, ranMl: number) => void;
}

/**
 * Reports what waits, oldest first, with what became of the pump's commands, and obeys those that come back.
 * Rejects at the first that was not taken: without an answer it stays for the next time, refused it is dropped.
 */
export async function report(device: Device, options: ReportOptions): Promise<void> {
  for (let reading = device.waiting[0]; reading; reading = device.waiting[0]) {
    const results = device.pump.untold.slice(0, resultsPerLog);
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
    settle(device.pump, results);
    if (device.pumped && results.length > 0) device.pumped.toldAt = options.now();
    const ranMl = obey(device.pump, commands, answer.serverNow);
    if (ranMl > 0) soak(device, ranMl, options.now());
    options.onTold?.(reading, ranMl);
  }
}

/** Sent again it would be refused again; a new token or a quieter server changes the others. */
function isRefusedForGood(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}
