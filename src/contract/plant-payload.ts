import * as v from 'valibot';
import { type PairName, pairNames } from '#domain/plant/field-groups.ts';
import { categories, fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';
import type { PlantFields } from '#domain/plant/plant.ts';

const name = (missing: string) =>
  v.pipe(v.optional(v.string(missing), ''), v.trim(), v.minLength(1, missing), v.maxLength(200));
const text = (limit: number) =>
  v.optional(v.nullable(v.pipe(v.string(), v.maxLength(limit))), null);
const bounded = (min: number, max: number) =>
  v.optional(v.nullable(v.pipe(v.number(), v.minValue(min), v.maxValue(max))), null);
const humidity = bounded(0, 100);
const temperature = bounded(-100, 100);
const luminance = bounded(0, 1_000_000);

const options = <const T extends readonly string[]>(values: T, fallback: T[number]) =>
  v.optional(
    v.pipe(
      v.nullable(v.picklist(values)),
      v.transform((value) => value ?? fallback),
    ),
    fallback,
  );

const fields = v.object({
  nickname: name('Nickname is required'),
  plant_name: name('Plant name is required'),
  species: name('Species is required'),
  category: options(categories, 'Indoor'),
  location: text(500),
  description: text(20_000),
  watering_frequency: v.pipe(
    v.optional(v.number('Must be a positive number'), 0),
    v.gtValue(0, 'Must be a positive number'),
    v.maxValue(3650),
  ),
  sunlight_requirements: options(keysOf(sunlightLabels), 'Medium'),
  fertilizer_schedule: options(keysOf(fertilizerLabels), 'Monthly'),
  ideal_temperature_min: temperature,
  ideal_temperature_max: temperature,
  soil_humidity_threshold_min: humidity,
  soil_humidity_threshold_max: humidity,
  air_humidity_threshold_min: humidity,
  air_humidity_threshold_max: humidity,
  temperature_threshold_min: temperature,
  temperature_threshold_max: temperature,
  luminance_threshold_min: luminance,
  luminance_threshold_max: luminance,
  device_id: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.trim(),
        v.maxLength(200),
        v.transform((id) => id || null),
      ),
    ),
    null,
  ),
  auto_watering_enabled: v.optional(
    v.pipe(
      v.nullable(v.boolean()),
      v.transform((on) => on ?? false),
    ),
    false,
  ),
});

type Fields = v.InferOutput<typeof fields>;

/**
 * What POST and PUT accept: spec section 5 for what must be there and ordered, the form defaults where an
 * enumeration is missing, null where a text or threshold is. Unknown fields are dropped.
 */
export const plantPayloadSchema: v.GenericSchema<unknown, PlantFields> = v.pipe(
  fields,
  ...pairNames.map(ordered),
);

function ordered(name: PairName) {
  const [min, max] = [`${name}_min`, `${name}_max`] as const;
  return v.forward(
    v.check<Fields, string>((plant) => {
      const [low, high] = [plant[min], plant[max]];
      return low === null || high === null || low < high;
    }, 'Minimum must be less than maximum'),
    [min],
  );
}

function keysOf<T extends object>(labels: T): (keyof T & string)[] {
  return Object.keys(labels) as (keyof T & string)[];
}
