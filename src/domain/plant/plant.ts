import { ageText } from './age.ts';
import { type HealthStatus, healthFromServer } from './health.ts';
import { type PictureName, pictureFor } from './picture.ts';

/** Ids from the API are opaque; on the device they are compared and stored as text. */
export type WireId = string | number;

/** What a person may set about a plant, under the wire's names (spec section 3, payload). */
export interface PlantFields {
  nickname: string;
  plant_name: string;
  category: string;
  species: string;
  location: string | null;
  description: string | null;
  /** days */
  watering_frequency: number;
  sunlight_requirements: string;
  fertilizer_schedule: string;
  /** °C */
  ideal_temperature_min: number | null;
  ideal_temperature_max: number | null;
  /** % */
  soil_humidity_threshold_min: number | null;
  soil_humidity_threshold_max: number | null;
  air_humidity_threshold_min: number | null;
  air_humidity_threshold_max: number | null;
  /** °C */
  temperature_threshold_min: number | null;
  temperature_threshold_max: number | null;
  /** lux */
  luminance_threshold_min: number | null;
  luminance_threshold_max: number | null;
  device_id: string | null;
  auto_watering_enabled: boolean;
}

export const plantFieldNames = [
  'nickname',
  'plant_name',
  'category',
  'species',
  'location',
  'description',
  'watering_frequency',
  'sunlight_requirements',
  'fertilizer_schedule',
  'ideal_temperature_min',
  'ideal_temperature_max',
  'soil_humidity_threshold_min',
  'soil_humidity_threshold_max',
  'air_humidity_threshold_min',
  'air_humidity_threshold_max',
  'temperature_threshold_min',
  'temperature_threshold_max',
  'luminance_threshold_min',
  'luminance_threshold_max',
  'device_id',
  'auto_watering_enabled',
] as const satisfies readonly (keyof PlantFields)[];

/** What only the server knows about a plant. */
export interface PlantFacts {
  date_added: string;
  age: string | null;
  last_watered: string | null;
  next_watering_date: string | null;
  last_fertilized: string | null;
  reminder_enabled: boolean;
  health_status: string;
  /** Why automatic watering did not water, in words; null when it did or is off. */
  auto_watering_note: string | null;
}

/** The latest values that lists with readings carry along. */
export interface LatestFields {
  latest_soil_humidity: number | null;
  latest_air_humidity: number | null;
  latest_temperature: number | null;
  latest_luminance: number | null;
  last_reading_time: string | null;
}

type Loose<T> = { [K in keyof T]?: T[K] | null | undefined };

/** A plant as a server sends it: raw, any field but the id may be missing. This is what is stored. */
export type PlantRecord = { id: WireId } & Loose<PlantFields> & Loose<PlantFacts>;

export interface Range {
  min: number;
  max: number;
}

/** A plant as the screens read it: every gap filled by the defaults of spec section 3. Never stored, never sent. */
export interface Plant {
  id: string;
  nickname: string;
  actualName: string;
  species: string;
  category: string;
  location: string;
  description: string;
  age: string;
  dateAdded: string | null;
  image: PictureName;
  /** days */
  wateringFrequency: number;
  sunlightRequirements: string;
  fertilizerSchedule: string;
  deviceId: string;
  /** °C */
  idealTemperatureRange: Range;
  iotIntegration: {
    healthStatus: HealthStatus;
    autoWateringEnabled: boolean;
    lastWatered: string | null;
  };
  tracking: {
    nextWateringDate: string | null;
    lastFertilized: string | null;
    /** `frequency`: days before due */
    reminderSettings: { enabled: boolean; frequency: number };
  };
  thresholds: {
    soilHumidity: Range;
    airHumidity: Range;
    temperature: Range;
    luminance: Range;
  };
}

export const unnamedPlant = 'Unnamed Plant';

/** The screens' view of a raw record at `now` (ms). Missing and zero values become defaults (spec section 3). */
export function toPlant(record: PlantRecord, now: number): Plant {
  return {
    id: String(record.id),
    nickname: record.nickname || unnamedPlant,
    actualName: record.plant_name ?? '',
    species: record.species ?? '',
    category: record.category || 'Indoor',
    location: record.location || 'Unknown',
    description: record.description ?? '',
    age: record.age || ageText(record.date_added, now),
    dateAdded: record.date_added ?? null,
    image: pictureFor(record.species ?? ''),
    wateringFrequency: record.watering_frequency || 7,
    sunlightRequirements: record.sunlight_requirements || 'Medium',
    fertilizerSchedule: record.fertilizer_schedule || 'Monthly',
    deviceId: record.device_id || String(record.id),
    idealTemperatureRange: range(
      record.ideal_temperature_min,
      record.ideal_temperature_max,
      18,
      30,
    ),
    iotIntegration: {
      healthStatus: healthFromServer(record.health_status),
      autoWateringEnabled: record.auto_watering_enabled ?? false,
      lastWatered: record.last_watered ?? null,
    },
    tracking: {
      nextWateringDate: record.next_watering_date ?? null,
      lastFertilized: record.last_fertilized ?? null,
      reminderSettings: {
        enabled: record.reminder_enabled ?? false,
        frequency: 1,
      },
    },
    thresholds: thresholdsOf(record),
  };
}

function thresholdsOf(record: PlantRecord): Plant['thresholds'] {
  return {
    soilHumidity: range(
      record.soil_humidity_threshold_min,
      record.soil_humidity_threshold_max,
      30,
      70,
    ),
    airHumidity: range(
      record.air_humidity_threshold_min,
      record.air_humidity_threshold_max,
      40,
      80,
    ),
    temperature: range(record.temperature_threshold_min, record.temperature_threshold_max, 18, 30),
    luminance: range(record.luminance_threshold_min, record.luminance_threshold_max, 1000, 15000),
  };
}

function range(
  min: number | null | undefined,
  max: number | null | undefined,
  defaultMin: number,
  defaultMax: number,
): Range {
  return { min: min || defaultMin, max: max || defaultMax };
}
