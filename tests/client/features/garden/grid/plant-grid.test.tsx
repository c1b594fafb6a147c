import { expect, test } from 'vitest';
import { PlantGrid } from '#client/features/garden/grid/plant-grid.tsx';
import type { PlantView } from '#client/features/garden/plant-view.ts';
import { countPlants } from '#domain/plant/filter.ts';
import { defaultZone } from '#domain/zone.ts';
import { inDashboard } from '../../support/in-dashboard.tsx';
import { attributesOf, textsOf } from '../../support/markup.ts';
import { now, plantView } from '../support/plant-view.ts';

function grid(plants: PlantView[]) {
  const counts = countPlants(
    plants.map(({ plant }) => plant),
    now,
    defaultZone,
  );
  return inDashboard(<PlantGrid plants={plants} counts={counts} isComplete now={now} />);
}

test('with plants the grid says how many there are and shows their cards', () => {
  const texts = textsOf(grid([plantView(), plantView({ id: 'p2', nickname: 'Other' })]));
  expect(texts.slice(0, 2)).toEqual(['All Plants', '(2)']);
  expect(texts.filter((text) => text === 'Fern' || text === 'Other')).toEqual(['Fern', 'Other']);
  expect(texts.join(' ')).not.toContain('No plants');
});

test('the search box and the filter menu have names', () => {
  expect(attributesOf(grid([plantView()]), 'input')).toMatchObject([
    {
      type: 'search',
      enterKeyHint: 'search',
      'aria-label': 'Search plants',
      placeholder: 'Search...',
    },
  ]);
  expect(attributesOf(grid([plantView()]), 'select')).toMatchObject([
    { 'aria-label': 'Filter plants' },
  ]);
});
