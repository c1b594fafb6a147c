import * as v from 'valibot';
import {
  createLogRequest,
  createLogsRequest,
  type LogPayload,
  logLimits,
  logResponseSchema,
  logsResponseSchema,
} from '#contract/logs.ts';
import type { ApiRequest } from '#contract/request.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { addWater, type Device, removeReported, runCommands } from './device.ts';
import {
  isRejectedForGood,
  type ReceivedResponse,
  requireAccepted,
  type SimpleResponse,
} from './exchange.ts';

/** Maximum number of results in one log. */
const resultsPerLog = 100;

export interface ReportOptions {
  /** The fields that identify the device or plant; empty if the token identifies it. */
  target: Pick<LogPayload, 'plant_id' | 'device_id'>;
  send: (request: ApiRequest) => Promise<ReceivedResponse>;
  /** ms */
  now: () => number;
  /** Called when a reading was accepted. `ranMl`: the water that the pump gave because of commands in the response. */
  onReported?: (reading: ReadingLog, ranMl: number) => void;
}

/**
 * Reports the queued readings, oldest first, with the results of commands, and runs the commands of each response.
 * After an outage many readings go in one request. Rejects at the first failure. Readings that the server would always
 * reject are dropped; others that failed stay queued.
 */
export async function report(device: Device, options: ReportOptions): Promise<void> {
  while (device.waiting.length > 0) {
    const readings = device.waiting.slice(0, logLimits.readings);
    const results = device.pump.unreported.slice(0, resultsPerLog);
    const payloads = readings.map((reading, n) => ({
      ...options.target,
      ...reading,
      ...(n === readings.length - 1 && results.length > 0 && { command_results: results }),
    }));
    const [first, ...others] = payloads;
    if (!first) return;
    const received = await options.send(
      others.length === 0 ? createLogRequest(first) : createLogsRequest(payloads),
    );
    const responses: SimpleResponse[] = others.length === 0 ? [received] : responsesIn(received);
    const isFinal = responses.map(({ status }) => status === 201 || isRejectedForGood(status));
    device.waiting = device.waiting.filter((reading) => !isFinal[readings.indexOf(reading)]);
    if (responses.at(-1)?.status === 201) {
      removeReported(device.pump, results);
      if (device.pumped && results.length > 0) device.pumped.reportedAt = options.now();
    }
    for (const [n, response] of responses.entries()) {
      const reading = readings[n];
      if (response.status !== 201 || !reading) continue;
      const { commands } = v.parse(logResponseSchema, JSON.parse(response.text));
      const ranMl = runCommands(device.pump, commands, received.serverNow);
      if (ranMl > 0) addWater(device, ranMl, options.now());
      options.onReported?.(reading, ranMl);
    }
    for (const response of responses) requireAccepted(response);
  }
}

/** The response to each reading of an array. */
function responsesIn(received: ReceivedResponse): SimpleResponse[] {
  const { results } = v.parse(logsResponseSchema, requireAccepted(received));
  return results.map(({ status, body }) => ({ status, text: JSON.stringify(body) }));
}
