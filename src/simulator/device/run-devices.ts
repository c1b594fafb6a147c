import type { SimulateOptions } from '../options.ts';
import type { SimulatedDevice } from '../set-up-devices.ts';
import { surroundingsOf } from '../world/climate.ts';
import { createRandom } from '../world/random.ts';
import { createDevice, type Device } from './device.ts';
import { type Connection, exchange } from './exchange.ts';
import { type Pause, runDevice } from './run-device.ts';

export interface RunDevicesOptions extends Connection {
  pause: Pause;
  print: (line: string) => void;
  asked: Pick<SimulateOptions, 'speed' | 'dropout' | 'stuck' | 'emptyTank' | 'seed'>;
}

const shortestMs = 1_000;
const realTimeMs = 60_000;
/** The soil humidity of a pot without a reading, as a share of the pot's capacity. */
const shareOfCapacity = 0.9;

/** Runs all devices, with the faults that were asked for, until `signal` aborts or every token is revoked. */
export async function runDevices(
  simulated: readonly SimulatedDevice[],
  options: RunDevicesOptions,
): Promise<void> {
  const { asked, now, pause, signal, print } = options;
  const startedAt = now();
  const everyMs = Math.max(shortestMs, realTimeMs / asked.speed);
  const sums = { readings: 0, late: 0, runs: 0, ml: 0 };
  print(
    `${simulated.length} devices report every ${everyMs / 1_000} s; soil, weather and daylight change ${asked.speed} times as fast as in real time.`,
  );
  const runs = simulated.map(async ({ plant, deviceId, token, isShared }, n) => {
    const device = deviceFor(simulated, n, asked, startedAt);
    const name = `${deviceId} (${plant.nickname ?? 'unnamed'})`;
    await pause((n / simulated.length) * shortestMs, signal);
    await runDevice(device, {
      ...{ everyMs, speed: asked.speed, startedAt, dropout: asked.dropout },
      ...{ now, pause, signal, random: createRandom(asked.seed + n) },
      target: isShared ? { plant_id: String(plant.id) } : {},
      send: (request) => exchange(options, request, token),
      onReported: ({ timestamp }, ranMl) => {
        sums.readings += 1;
        if (now() - Date.parse(timestamp) >= everyMs) sums.late += 1;
        if (ranMl === 0) return;
        sums.runs += 1;
        sums.ml += ranMl;
        print(`${name}: its pump gave ${ranMl} ml`);
      },
      onProblem: (message) => print(`${name}: ${message}`),
    });
  });
  await Promise.all(runs);
  print(
    `${sums.readings} readings reported, ${sums.late} of them late; ${sums.runs} runs of a pump, ${sums.ml} ml.`,
  );
}

/** The first devices have the stuck sensors, the last ones the empty tanks. */
function deviceFor(
  simulated: readonly SimulatedDevice[],
  n: number,
  asked: RunDevicesOptions['asked'],
  startedAt: number,
): Device {
  const plant = simulated[n]?.plant ?? { id: '' };
  const surroundings = surroundingsOf(plant, asked.seed + n);
  const humidity = plant.latest_soil_humidity ?? surroundings.fieldCapacity * shareOfCapacity;
  return createDevice(
    surroundings,
    { humidity, at: startedAt },
    {
      sensorIsStuck: n < asked.stuck,
      tankIsEmpty: n >= simulated.length - asked.emptyTank,
    },
  );
}
