import type { PlantWithReadings } from '#contract/plants.ts';
import type { Surroundings } from './climate.ts';
import { createRandom } from './random.ts';

/** lux, at noon behind a window */
const windowLux: Record<string, number> = { Low: 2_000, Medium: 7_000, High: 14_000 };
const openSkyLux = 70_000;

/** Plausible surroundings for a plant, guessed from its fields. */
export function surroundingsOf(plant: PlantWithReadings, seed: number): Surroundings {
  const random = createRandom(seed);
  const between = (from: number, to: number) => from + (to - from) * random();
  const light = plant.sunlight_requirements ?? '';
  const outdoor = plant.category === 'Outdoor' || light === 'Full Sun';
  const noonLux = outdoor ? openSkyLux : (windowLux[light] ?? 7_000);
  const wettest = plant.soil_humidity_threshold_max ?? 70;
  return {
    seed,
    outdoor,
    brightnessLux: noonLux * between(0.7, 1.2),
    baseTemperature: between(22, 26),
    baseAirHumidity: between(50, 65),
    dryingPerDay: between(6, 10) * (outdoor ? 1.5 : 1),
    fieldCapacity: Math.min(80, Math.max(35, wettest - between(2, 8))),
  };
}
