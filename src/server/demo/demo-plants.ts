import { type DemoClimate, type DemoPlant, indoors } from './demo-plant.ts';
import { gardenPlants } from './garden-plants.ts';
import { housePlants } from './house-plants.ts';

/** A dozen plants that together show every state of the screens. */
export const demoPlants: readonly DemoPlant[] = [...housePlants, ...gardenPlants];

const ordinaryRoom = indoors({
  seed: 99,
  lux: 8_000,
  warmth: 25,
  air: 58,
  drying: 7,
  holds: 62,
});

/** The climate of a plant in the demo account; a plant that somebody added stands in an ordinary room. */
export function climateOf(plant: { device_id?: string | null | undefined }): DemoClimate {
  const known = demoPlants.find(({ fields }) => fields.device_id === plant.device_id);
  return known?.climate ?? ordinaryRoom;
}
