import { type PlantFields, wireFields } from '#domain/plant/fields.ts';

export function plantPayload(changes: Partial<PlantFields> = {}): PlantFields {
  return {
    nickname: 'Fern',
    plant_name: 'Boston Fern',
    category: 'Indoor',
    species: 'Boston Fern',
    location: 'Bathroom',
    description: null,
    watering_frequency: 3,
    sunlight_requirements: 'Medium',
    fertilizer_schedule: 'Monthly',
    ideal_temperature_min: 18,
    ideal_temperature_max: 25,
    soil_humidity_threshold_min: 30,
    soil_humidity_threshold_max: 70,
    air_humidity_threshold_min: 40,
    air_humidity_threshold_max: 60,
    temperature_threshold_min: 15,
    temperature_threshold_max: 30,
    luminance_threshold_min: 0,
    luminance_threshold_max: 10000,
    device_id: null,
    auto_watering_enabled: false,
    photo_id: null,
    reminder_enabled: true,
    reminder_days_before: 0,
    ...changes,
  };
}

/** Leaves out the fields that version 0.1 did not have. The server accepts requests without them. */
export function withoutLaterFields(payload: PlantFields): PlantFields {
  const later = wireFields.filter(({ spec }) => spec.since !== undefined);
  const names: string[] = later.map(({ name }) => name);
  const entries = Object.entries(payload).filter(([name]) => !names.includes(name));
  return Object.fromEntries(entries) as PlantFields;
}
