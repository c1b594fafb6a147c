import { expect, test } from 'vitest';
import { type PictureName, pictureFor } from '#domain/plant/picture.ts';

test.each<[species: string, picture: PictureName]>([
  ['Boston Fern', 'boston-fern'],
  ['Snake Plant', 'snake-plant'],
  ['Monstera', 'monstera'],
  ['Peace Lily', 'peace-lily'],
  ['Fiddle Leaf Fig', 'fiddle-leaf-fig'],
  ['Pothos', 'pothos'],
  ['ZZ Plant', 'zz-plant'],
  ['Aloe Vera', 'aloe-vera'],
])('%s has its own picture, case-insensitive', (species, picture) => {
  expect(pictureFor(species)).toBe(picture);
  expect(pictureFor(species.toUpperCase())).toBe(picture);
  expect(pictureFor(`  ${species.toLowerCase()} `)).toBe(picture);
});

test.each<[species: string, picture: PictureName]>([
  ['Monstera deliciosa', 'monstera'],
  ['Golden Pothos', 'pothos'],
  ['dwarf SNAKE PLANT (variegated)', 'snake-plant'],
  ['Aloe', 'aloe-vera'],
  ['fern', 'boston-fern'],
])(
  'the species %s gets the picture of the known name that it contains or is part of',
  (species, picture) => {
    expect(pictureFor(species)).toBe(picture);
  },
);

test.each(['', '   ', 'Cactus', 'Mönstera'])('%j gets the default picture', (species) => {
  expect(pictureFor(species)).toBe('default-plant');
});
