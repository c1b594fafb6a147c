import type { PlantFields } from '#domain/plant/fields.ts';

type Kind = Pick<
  PlantFields,
  | 'plant_name'
  | 'species'
  | 'category'
  | 'location'
  | 'sunlight_requirements'
  | 'watering_frequency'
  | 'soil_humidity_threshold_min'
  | 'soil_humidity_threshold_max'
>;

const monstera: Kind = {
  plant_name: 'Swiss Cheese Plant',
  species: 'Monstera',
  category: 'Indoor',
  location: 'Living room',
  sunlight_requirements: 'Medium',
  watering_frequency: 7,
  soil_humidity_threshold_min: 25,
  soil_humidity_threshold_max: 70,
};

const kinds: readonly Kind[] = [
  monstera,
  {
    plant_name: 'Sweet Basil',
    species: 'Basil',
    category: 'Herb',
    location: 'Kitchen window',
    sunlight_requirements: 'High',
    watering_frequency: 2,
    soil_humidity_threshold_min: 45,
    soil_humidity_threshold_max: 80,
  },
  {
    plant_name: 'Cherry Tomato',
    species: 'Tomato',
    category: 'Vegetable',
    location: 'Balcony',
    sunlight_requirements: 'Full Sun',
    watering_frequency: 1,
    soil_humidity_threshold_min: 45,
    soil_humidity_threshold_max: 80,
  },
  {
    plant_name: 'Sword Fern',
    species: 'Boston Fern',
    category: 'Indoor',
    location: 'Bathroom',
    sunlight_requirements: 'Low',
    watering_frequency: 3,
    soil_humidity_threshold_min: 45,
    soil_humidity_threshold_max: 85,
  },
  {
    plant_name: 'True Aloe',
    species: 'Aloe Vera',
    category: 'Succulent',
    location: 'Desk',
    sunlight_requirements: 'High',
    watering_frequency: 14,
    soil_humidity_threshold_min: 8,
    soil_humidity_threshold_max: 45,
  },
  {
    plant_name: 'Garden Strawberry',
    species: 'Strawberry',
    category: 'Fruit',
    location: 'Terrace',
    sunlight_requirements: 'Full Sun',
    watering_frequency: 2,
    soil_humidity_threshold_min: 30,
    soil_humidity_threshold_max: 75,
  },
];

/** The nth plant of a mixed garden, for accounts that have too few. */
export function plantToAdd(
  n: number,
  own: Pick<PlantFields, 'nickname' | 'device_id' | 'auto_watering_enabled'>,
): PlantFields {
  const kind = kinds[n % kinds.length] ?? monstera;
  return {
    ...kind,
    ...own,
    description: 'Its readings come from a simulated device.',
    fertilizer_schedule: 'Monthly',
    ideal_temperature_min: 18,
    ideal_temperature_max: 28,
    air_humidity_threshold_min: 35,
    air_humidity_threshold_max: 85,
    temperature_threshold_min: 12,
    temperature_threshold_max: 36,
    luminance_threshold_min: null,
    luminance_threshold_max: kind.sunlight_requirements === 'Full Sun' ? 110_000 : 25_000,
  };
}
