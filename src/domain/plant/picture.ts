const pictureBySpecies = {
  'boston fern': 'boston-fern',
  'snake plant': 'snake-plant',
  monstera: 'monstera',
  'peace lily': 'peace-lily',
  'fiddle leaf fig': 'fiddle-leaf-fig',
  pothos: 'pothos',
  'zz plant': 'zz-plant',
  'aloe vera': 'aloe-vera',
} as const;

export type PictureName =
  | (typeof pictureBySpecies)[keyof typeof pictureBySpecies]
  | 'default-plant';

/** The picture of a species: exact or partial match, case-insensitive, else the default (spec section 3, Image). */
export function pictureFor(species: string): PictureName {
  const wanted = species.trim().toLowerCase();
  if (wanted === '') return 'default-plant';
  const known = Object.entries(pictureBySpecies);
  const match =
    known.find(([name]) => name === wanted) ??
    known.find(([name]) => wanted.includes(name) || name.includes(wanted));
  return match?.[1] ?? 'default-plant';
}
