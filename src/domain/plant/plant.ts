import type { Measure } from '../reading/reading.ts';
import { plural } from '../text.ts';
import { dayMs } from '../time.ts';
import { type FieldGroup, type PlantFields, plantFields, type RangeFieldName } from './fields.ts';
import { type HealthStatus, healthFromServer } from './health.ts';
import { type PictureName, pictureFor } from './picture.ts';

/** Ids from the API are opaque; on the device they are compared and stored as text. */
export type WireId = string | number;

/** The fields that only the server sets. */
export interface PlantFacts {
  /** Its version as an ETag, which edits send in If-Match. */
  etag: string | null;
  date_added: string;
  age: string | null;
  last_watered: string | null;
  next_watering_date: string | null;
  last_fertilized: string | null;
  /** The end of its newest snooze, also if that is past; null if it has none or was watered since. */
  snoozed_until: string | null;
  /** Incremented by every change of its journal or photos. */
  journal_version: number;
  health_status: string;
  /** Why automatic watering does not water the plant (WaitReason); null if no reason is known or it is off. */
  auto_watering_reason: string | null;
  /** Since when that reason applies; null when that is not known. */
  auto_watering_since: string | null;
  /** The reason in words, written by the server. */
  auto_watering_note: string | null;
}

/** The newest reading, which only the list with latest readings contains. */
export interface LatestFields extends Record<`latest_${Measure}`, number | null> {
  last_reading_time: string | null;
}

type Loose<T> = { [K in keyof T]?: T[K] | null | undefined };

/** A plant as the server sends it and the device stores it. Any field but the id may be missing. */
export type PlantRecord = { id: WireId } & Loose<PlantFields> & Loose<PlantFacts>;

/** Whether two records are equal in these fields. A missing field counts as blank. */
export function haveEqualFields(
  names: FieldGroup,
  a: Partial<PlantRecord>,
  b: Partial<PlantRecord>,
): boolean {
  return names.every((name) => (a[name] ?? null) === (b[name] ?? null));
}

export interface Range {
  min: number;
  max: number;
}

/** A plant as screens read it, missing values replaced by the defaults of spec section 3. Never stored, never sent. */
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
  /** The photo to show instead of `image`; null for none. */
  photoId: string | null;
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
    /** `frequency`: the daily digest lists the plant from this many days before it is due; 0: from the day it is due */
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

/** Maps a record for the screens at `now` (ms). Missing and zero values become defaults (spec section 3). */
export function toPlant(record: PlantRecord, now: number): Plant {
  return {
    id: String(record.id),
    nickname: record.nickname || unnamedPlant,
    actualName: record.plant_name ?? '',
    species: record.species ?? '',
    category: record.category || plantFields.category.default,
    location: record.location || 'Unknown',
    description: record.description ?? '',
    age: record.age || ageText(record.date_added, now),
    dateAdded: record.date_added ?? null,
    image: pictureFor(record.species ?? ''),
    photoId: record.photo_id || null,
    wateringFrequency: record.watering_frequency || plantFields.watering_frequency.viewDefault,
    sunlightRequirements: record.sunlight_requirements || plantFields.sunlight_requirements.default,
    fertilizerSchedule: record.fertilizer_schedule || plantFields.fertilizer_schedule.default,
    deviceId: record.device_id || String(record.id),
    idealTemperatureRange: rangeOf(record, 'ideal_temperature'),
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
        frequency: record.reminder_days_before ?? 0,
      },
    },
    thresholds: {
      soilHumidity: rangeOf(record, 'soil_humidity_threshold'),
      airHumidity: rangeOf(record, 'air_humidity_threshold'),
      temperature: rangeOf(record, 'temperature_threshold'),
      luminance: rangeOf(record, 'luminance_threshold'),
    },
  };
}

function rangeOf(record: PlantRecord, name: RangeFieldName): Range {
  const { min, max } = plantFields[name].viewDefault;
  return { min: record[`${name}_min`] || min, max: record[`${name}_max`] || max };
}

/** Age at `now` (ms): days under a month, months under a year, else years and months (spec section 3, Age). */
export function ageText(dateAdded: string | null | undefined, now: number): string {
  const added = Date.parse(dateAdded ?? '');
  if (Number.isNaN(added)) return '';
  const months = wholeMonthsBetween(new Date(added), new Date(Math.max(added, now)));
  if (months < 1) return plural(Math.max(0, Math.floor((now - added) / dayMs)), 'day');
  if (months < 12) return plural(months, 'month');
  const years = plural(Math.floor(months / 12), 'year');
  return months % 12 === 0 ? years : `${years}, ${plural(months % 12, 'month')}`;
}

function wholeMonthsBetween(from: Date, to: Date): number {
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return to.getUTCDate() < from.getUTCDate() ? months - 1 : months;
}
