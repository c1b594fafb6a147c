import { namesText } from './names.ts';

/** The title of a digest if all of its plants were watered on the device, but the waterings are not sent yet. */
export const allWateredTitle = 'All due plants are watered, waiting to be sent';

/** The texts of a notification after a tap on its button Watered. `isSent`: whether the waterings have been sent. */
export function wateredTexts(
  plants: readonly { name: string }[],
  isSent: boolean,
): { title: string; body: string } {
  return {
    title: isSent ? 'Watered' : 'Watered, waiting to be sent',
    body: namesText(plants.map(({ name }) => name)),
  };
}
