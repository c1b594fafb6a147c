import type { PlantFields } from '#domain/plant/fields.ts';
import type { ServerHealth } from '#domain/plant/health.ts';

/** A demo plant's place and pot, as a simulated sensor needs them. */
export interface DemoClimate {
  seed: number;
  outdoor: boolean;
  /** lux at noon */
  brightnessLux: number;
  /** °C */
  baseTemperature: number;
  /** % */
  baseAirHumidity: number;
  /** soil % lost on the first day after watering */
  dryingPerDay: number;
  /** soil % right after watering */
  fieldCapacity: number;
}

export interface DemoPlant {
  fields: PlantFields;
  /** The health status that this plant demonstrates. */
  health: ServerHealth;
  daysOld: number;
  fertilizedDaysAgo: number | null;
  watering: {
    daysAgo: number | 'today';
    /** How often it was watered, which may differ from its watering frequency. */
    everyDays: number;
    by: 'manual' | 'auto';
  };
  climate: DemoClimate;
}

interface Spot {
  seed: number;
  /** lux at noon */
  lux: number;
  /** °C */
  warmth: number;
  /** % */
  air: number;
  /** soil % a day */
  drying: number;
  /** soil % when just watered */
  holds: number;
}

export function indoors(spot: Spot): DemoClimate {
  return { ...climateIn(spot), outdoor: false };
}

export function outdoors(spot: Spot): DemoClimate {
  return { ...climateIn(spot), outdoor: true };
}

function climateIn({ seed, lux, warmth, air, drying, holds }: Spot): Omit<DemoClimate, 'outdoor'> {
  return {
    seed,
    brightnessLux: lux,
    baseTemperature: warmth,
    baseAirHumidity: air,
    dryingPerDay: drying,
    fieldCapacity: holds,
  };
}

type Limits = readonly [min: number | null, max: number | null];

/** The ten threshold fields from five pairs. Set a light minimum only for a demo plant that gets too little light. */
export function thresholds(pairs: {
  ideal: Limits;
  soil: Limits;
  air: Limits;
  temperature: Limits;
  light: Limits;
}) {
  const { ideal, soil, air, temperature, light } = pairs;
  return {
    ideal_temperature_min: ideal[0],
    ideal_temperature_max: ideal[1],
    soil_humidity_threshold_min: soil[0],
    soil_humidity_threshold_max: soil[1],
    air_humidity_threshold_min: air[0],
    air_humidity_threshold_max: air[1],
    temperature_threshold_min: temperature[0],
    temperature_threshold_max: temperature[1],
    luminance_threshold_min: light[0],
    luminance_threshold_max: light[1],
  };
}
