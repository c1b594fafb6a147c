import { namesText } from './names.ts';

/** The title of a digest whose plants were all watered on the device, but not sent yet. */
export const allWateredTitle = 'All due plants are watered, waiting to be sent';

/** Replaces a notification after a tap on its button Watered. `isSent`: the server has the waterings. */
export function wateredTexts(
  plants: readonly { name: string }[],
  isSent: boolean,
): { title: string; body: string } {
  return {
    title: isSent ? 'Watered' : 'Watered, waiting to be sent',
    body: namesText(plants.map(({ name }) => name)),
  };
}
