import type { NotWateredReason } from '#domain/journal/entry.ts';

/** Something in the journal of a demo plant, besides its waterings and fertilizings. */
export interface DemoEvent {
  daysAgo: number;
  type: 'repotted' | 'pruned' | 'note' | 'snoozed' | 'not_watered' | 'photo';
  note?: string;
  /** snoozed */
  days?: number;
  /** not_watered */
  reason?: NotWateredReason;
  /** A photo taken at that time: the name of its files in the folder photos. */
  photo?: string;
}

/** The last weeks of the demo plants, by nickname. */
export const demoStories: Readonly<Record<string, readonly DemoEvent[]>> = {
  Monty: [
    { daysAgo: 29.1, type: 'note', note: 'The new leaf is still rolled up.', photo: 'monty-1' },
    { daysAgo: 17.3, type: 'note', note: 'Unrolled, with six holes.', photo: 'monty-2' },
    { daysAgo: 10.1, type: 'snoozed', days: 1, note: 'Rainy week, the soil is still wet.' },
    { daysAgo: 5.2, type: 'pruned', note: 'Cut the yellow leaf at the bottom.' },
    { daysAgo: 1.4, type: 'photo', photo: 'monty-3' },
  ],
  Fernanda: [
    { daysAgo: 26.4, type: 'photo', photo: 'fernanda-1' },
    { daysAgo: 21.2, type: 'pruned', note: 'Removed the brown fronds.' },
    { daysAgo: 7.13, type: 'not_watered', reason: 'pump_failed' },
    { daysAgo: 7.12, type: 'not_watered', reason: 'pump_failed' },
    { daysAgo: 7.11, type: 'note', note: 'The tank was empty. Filled it up.' },
    { daysAgo: 3.3, type: 'photo', photo: 'fernanda-2' },
  ],
  'Lady Swoon': [
    { daysAgo: 12.2, type: 'note', note: 'Five flowers at once!', photo: 'lady-swoon' },
    { daysAgo: 0.4, type: 'note', note: 'Drooping again. Every time.' },
  ],
  Figaro: [{ daysAgo: 20.5, type: 'repotted', note: 'One size up, with fresh soil.' }],
  'Sir Pesto': [{ daysAgo: 6.3, type: 'pruned', note: 'Pinched the tips. Pasta tonight.' }],
  'Big Red': [
    { daysAgo: 24.6, type: 'repotted', note: 'Moved to bed 2, with a stake.' },
    { daysAgo: 8.4, type: 'pruned', note: 'Side shoots of the third stem.' },
  ],
  'Captain Gel': [
    { daysAgo: 27.2, type: 'repotted', note: 'Terracotta, half sand.', photo: 'captain-gel' },
  ],
};

/**
 * Millilitres of each watering by hand, by the nickname of the plant. For plants that are not listed the amount is
 * unknown.
 */
export const demoAmounts: Readonly<Record<string, number>> = { Monty: 350, Figaro: 500, Zed: 150 };
