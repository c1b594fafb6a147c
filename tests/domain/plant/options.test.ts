import { expect, test } from 'vitest';
import { categories, fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';

test('lists the categories in their fixed order', () => {
  expect(categories.join(', ')).toBe(
    'Indoor, Outdoor, Succulent, Herb, Vegetable, Fruit, Flower, Tree, Other',
  );
});

test('has a label for every sunlight and fertilizer value', () => {
  expect(sunlightLabels).toEqual({
    Low: 'Low Light',
    Medium: 'Medium Light',
    High: 'Bright Light',
    'Full Sun': 'Full Sun',
  });
  expect(fertilizerLabels).toEqual({
    Never: 'Never',
    Monthly: 'Monthly',
    Bimonthly: 'Every 2 Months',
    Quarterly: 'Quarterly',
    Biannually: 'Twice a Year',
  });
});
