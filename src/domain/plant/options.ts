/** Enumerations of spec section 3: the value on the wire and its label on screens. */

export const categories = [
  'Indoor',
  'Outdoor',
  'Succulent',
  'Herb',
  'Vegetable',
  'Fruit',
  'Flower',
  'Tree',
  'Other',
] as const;

export const sunlightLabels = {
  Low: 'Low Light',
  Medium: 'Medium Light',
  High: 'Bright Light',
  'Full Sun': 'Full Sun',
} as const;

export const fertilizerLabels = {
  Never: 'Never',
  Monthly: 'Monthly',
  Bimonthly: 'Every 2 Months',
  Quarterly: 'Quarterly',
  Biannually: 'Twice a Year',
} as const;

export const sunlights = Object.keys(sunlightLabels) as readonly Sunlight[];
export const fertilizers = Object.keys(fertilizerLabels) as readonly Fertilizer[];

export type Category = (typeof categories)[number];
export type Sunlight = keyof typeof sunlightLabels;
export type Fertilizer = keyof typeof fertilizerLabels;
