import { type DemoClimate, type DemoPlant, indoors } from './demo-plant.ts';
import { gardenPlants } from './garden-plants.ts';
import { housePlants } from './house-plants.ts';

/** A dozen plants that between them show every state a screen can be in. */
export const demoPlants: readonly DemoPlant[] = [...housePlants, ...gardenPlants];

const ordinaryRoom = indoors({
  seed: 99,
  lux: 8_000,
  warmth: 25,
  air: 58,
  drying: 7,
  holds: 62,
});

/** Where a plant of the demo account stands; one that somebody added stands in an ordinary room. */
export function climateOf(plant: { device_id?: string | null | undefined }): DemoClimate {
  const known = demoPlants.find(({ fields }) => fields.device_id === plant.device_id);
  return known?.climate ?? ordinaryRoom;
}
