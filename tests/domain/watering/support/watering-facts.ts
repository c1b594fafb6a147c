import type {
  PastCommand,
  PastWatering,
  SoilReading,
  WateringFacts,
} from '#domain/watering/rule.ts';

export const now = Date.parse('2026-11-20T08:00:00Z');
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const readyPlant: WateringFacts['plant'] = {
  auto_watering_enabled: true,
  device_id: 'bed-1',
  soil_humidity_threshold_min: 30,
};

/** A dry plant that would be watered, with the given changes. */
export function dryFacts(changes: Partial<WateringFacts> = {}): WateringFacts {
  return {
    plant: readyPlant,
    isLocked: false,
    deviceSince: null,
    readings: soils(20, 20, 20),
    manualWaterings: [],
    commands: [],
    unlockedAt: null,
    ...changes,
  };
}

/** Readings, newest first: the first has the time `now`, each further one is 15 minutes older. */
export function soils(...values: (number | null)[]): SoilReading[] {
  return values.map((soil, i) => ({ at: now - i * 15 * minuteMs, soil }));
}

/** A command that ran and wet the soil. `age` (ms): how long ago it expired; negative if it has not expired. */
export function commandOf(age: number, changes: Partial<PastCommand> = {}): PastCommand {
  return {
    issuedAt: now - age - 2 * minuteMs,
    expiresAt: now - age,
    amountMl: 150,
    status: 'done',
    reportedMl: 150,
    soilBefore: 20,
    soilQuartileAfter: 40,
    ...changes,
  };
}

export const unreported: Partial<PastCommand> = {
  status: 'issued',
  reportedMl: null,
  soilQuartileAfter: null,
};

export function failedWith(reportedMl: number | null): Partial<PastCommand> {
  return { status: 'failed', reportedMl };
}

export function ran(amountMl: number): Partial<PastCommand> {
  return { amountMl, reportedMl: amountMl };
}

export function handAt(age: number, amountMl: number | null = null): PastWatering {
  return { at: now - age, amountMl };
}

export function readingAt(age: number, soil: number | null = 20): SoilReading {
  return { at: now - age, soil };
}
