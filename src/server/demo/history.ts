import { isSameDay } from '#domain/dates.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { dayMs, hourMs } from '#domain/time.ts';
import { defaultZone } from '#domain/zone.ts';
import type { DemoClimate, DemoPlant } from './demo-plant.ts';

export type SimulateHistory = (
  climate: DemoClimate,
  options: {
    from: number;
    to: number;
    stepMs: number;
    wateredAt: readonly number[];
    startSoil: number;
  },
) => ReadingLog[];

const stepMs = 15 * 60_000;
const historyDays = 30;

/** Hours by which waterings by hand are late (negative: early), from the last one backwards. */
const unpunctual = [0, 3, -2, 5, -4, 1];

/**
 * The waterings of a demo plant before `now` (ms), oldest first. If the plant is old enough, they begin before its
 * first reading, because the soil humidity of that reading depends on the watering before it.
 */
export function demoWaterings(plant: DemoPlant, now: number): number[] {
  const { everyDays, by } = plant.watering;
  const last = lastWatering(plant, now);
  const earliest = Math.max(
    now - plant.daysOld * dayMs,
    now - (historyDays + everyDays + 1) * dayMs,
  );
  const moments: number[] = [];
  for (let n = 0; ; n += 1) {
    const astray = by === 'auto' ? 0 : (unpunctual[n % unpunctual.length] ?? 0) * hourMs;
    const moment = last - n * everyDays * dayMs + astray;
    if (moment <= earliest) return moments.reverse();
    moments.push(moment);
  }
}

/** A demo plant's readings up to `now` (ms), oldest first; none without a device. */
export function demoReadings(
  plant: DemoPlant,
  now: number,
  simulateHistory: SimulateHistory,
): ReadingLog[] {
  if (plant.fields.device_id === null) return [];
  const { climate, daysOld } = plant;
  const from = now - Math.min(daysOld, historyDays) * dayMs;
  const wateredAt = demoWaterings(plant, now);
  const before = wateredAt.findLast((moment) => moment <= from);
  const history = (span: { from: number; to: number; startSoil: number }) =>
    simulateHistory(climate, { ...span, stepMs, wateredAt });
  const leadIn =
    before === undefined
      ? []
      : history({ from: before, to: from, startSoil: climate.fieldCapacity });
  const startSoil = leadIn.at(-1)?.soil_humidity ?? climate.fieldCapacity / 2;
  return history({ from, to: now, startSoil });
}

function lastWatering({ watering }: DemoPlant, now: number): number {
  if (watering.daysAgo !== 'today') return now - watering.daysAgo * dayMs;
  let ago = 2 * hourMs;
  while (!isSameDay(now - ago, now, defaultZone)) ago = Math.floor(ago / 2);
  return now - ago;
}
