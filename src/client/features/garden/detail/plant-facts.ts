import { formatMoment } from '#domain/dates.ts';
import { fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { measureScales, thresholdText } from '#domain/reading/optimal-range.ts';
import { measures } from '#domain/reading/reading.ts';
import { reminderTime } from '#domain/reminder/times.ts';
import { everyDays } from '#domain/watering/schedule.ts';
import type { TimeZone } from '#domain/zone.ts';

type Facts = readonly (readonly [name: string, value: string])[];

export function plantInformation(plant: Plant, zone: TimeZone): Facts {
  return [
    ['Nickname', plant.nickname],
    ['Plant name', plant.actualName],
    ['Species', plant.species],
    ['Category', plant.category],
    ['Location', plant.location],
    ['Age', plant.age],
    ['Added', day(plant.dateAdded, zone)],
  ];
}

export function careRequirements(plant: Plant): Facts {
  const { min, max } = plant.idealTemperatureRange;
  return [
    ['Watering', everyDays(plant.wateringFrequency)],
    ['Sunlight', labelOf(sunlightLabels, plant.sunlightRequirements)],
    ['Fertilizer', labelOf(fertilizerLabels, plant.fertilizerSchedule)],
    ['Ideal temperature', `${min}–${max} °C`],
  ];
}

export function sensorThresholds({ thresholds }: Plant): Facts {
  return measures.map((measure) => {
    const { name, threshold } = measureScales[measure];
    return [name, thresholdText(measure, thresholds[threshold])];
  });
}

export function trackingInformation({ iotIntegration, tracking }: Plant, zone: TimeZone): Facts {
  const { enabled, frequency } = tracking.reminderSettings;
  return [
    ['Last watered', moment(iotIntegration.lastWatered, zone) || 'Never'],
    ['Next watering', moment(tracking.nextWateringDate, zone) || 'Unknown'],
    ['Last fertilized', day(tracking.lastFertilized, zone) || 'Never'],
    ['Reminders', enabled ? reminderTime(frequency) : 'Off'],
  ];
}

function day(iso: string | null, zone: TimeZone): string {
  return formatMoment(Date.parse(iso ?? ''), 'date', zone);
}

function moment(iso: string | null, zone: TimeZone): string {
  return formatMoment(Date.parse(iso ?? ''), 'dateTime', zone);
}

function labelOf(labels: Readonly<Record<string, string>>, value: string): string {
  return labels[value] ?? value;
}
