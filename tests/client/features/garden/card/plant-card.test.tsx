import { expect, test } from 'vitest';
import { PlantCard } from '#client/features/garden/card/plant-card.tsx';
import type { ShownPlant } from '#client/features/garden/grid/shown-plant.ts';
import type { HealthStatus } from '#domain/plant/health.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { attributesOf, textsOf } from '../../../../support/markup.ts';
import { shownPlant } from '../support/shown-plant.ts';

function card(shown: ShownPlant) {
  return <PlantCard shown={shown} link={<a href="/">open</a>} status="" action="" readings="" />;
}

test('a card shows image, nickname, actual name, health, watering frequency, the first word of sunlight and the ideal temperature', () => {
  const shown = shownPlant({
    nickname: 'Alma',
    plant_name: 'Swiss Cheese Plant',
    species: 'Monstera deliciosa',
    watering_frequency: 3,
    sunlight_requirements: 'Full Sun',
    ideal_temperature_min: 16,
    ideal_temperature_max: 27,
  });
  const texts = [
    'open',
    'Alma',
    'Swiss Cheese Plant',
    'Healthy',
    'Every 3 days',
    'Full',
    '16–27 °C',
  ];
  expect(textsOf(card(shown))).toEqual(texts);
  const [image] = attributesOf(card(shown), 'img');
  expect(image).toMatchObject({ width: '1260', height: '750', alt: '' });
  expect(image?.src).toContain('monstera');
});

test.each<[frequency: number, text: string]>([
  [1, 'Every 1 day'],
  [0.5, 'Every 0.5 days'],
  [3650, 'Every 3650 days'],
])('every %d days reads "%s"', (watering_frequency, text) => {
  expect(textsOf(card(shownPlant({ watering_frequency })))).toContain(text);
});

test.each<[HealthStatus, badge: boolean, text: string]>([
  ['excellent', false, 'Healthy'],
  ['good', false, 'Healthy'],
  ['fair', true, 'Needs attention'],
  ['poor', true, 'Needs attention'],
  ['critical', true, 'Needs attention'],
])('a plant in %s health has a badge: %s, and reads "%s"', (healthStatus, badge, text) => {
  const shown = shownPlant();
  shown.plant.iotIntegration.healthStatus = healthStatus;
  const texts = textsOf(card(shown));
  expect(texts.includes(healthStatus)).toBe(badge);
  expect(texts).toContain(text);
});

test.each<[what: string, state: Partial<ShownPlant>, mark: string]>([
  ['what waits', { isWaiting: true }, 'Waiting to be sent'],
  ['what was refused', { isRefused: true }, 'Could not be saved'],
])('%s is marked in words', (_, state, mark) => {
  expect(textsOf(card(shownPlant()))).not.toContain(mark);
  expect(textsOf(card({ ...shownPlant(), ...state }))).toContain(mark);
});

test.each<[what: string, record: Partial<PlantRecord>]>([
  ['markup', { nickname: '<img src=x onerror=alert(1)>' }],
  ['quotes', { plant_name: '"><script>alert(1)</script>' }],
])('a name that is %s is only text', (_, record) => {
  expect(attributesOf(card(shownPlant(record)), 'img')).toHaveLength(1);
  expect(attributesOf(card(shownPlant(record)), 'script')).toEqual([]);
});
