import { expect, test } from 'vitest';
import { PlantCard } from '#client/features/garden/card/plant-card.tsx';
import { type PlantView, toPlantView } from '#client/features/garden/plant-view.ts';
import type { HealthStatus } from '#domain/plant/health.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { opRow, plantRecord } from '../../../../support/device/device-rows.ts';
import { inDashboard } from '../../support/in-dashboard.tsx';
import { attributesOf, textsOf } from '../../support/markup.ts';
import { now, plantView } from '../support/plant-view.ts';

function card(view: PlantView) {
  return inDashboard(<PlantCard view={view} />);
}

test('a card links to its plant and shows its image, names, health, care facts and Water Now', () => {
  const view = plantView({
    nickname: 'Alma',
    plant_name: 'Swiss Cheese Plant',
    species: 'Monstera deliciosa',
    watering_frequency: 3,
    sunlight_requirements: 'Full Sun',
    ideal_temperature_min: 16,
    ideal_temperature_max: 27,
    next_watering_date: null,
  });
  const texts = [
    'Alma',
    'Swiss Cheese Plant',
    'Healthy',
    'Every 3 days',
    'Full',
    '16–27 °C',
    'Water Now',
  ];
  expect(textsOf(card(view))).toEqual(texts);
  expect(attributesOf(card(view), 'a')).toMatchObject([
    { 'data-plant': 'p1', 'aria-label': 'Details of Alma' },
  ]);
  const [image] = attributesOf(card(view), 'img');
  expect(image).toMatchObject({ width: '1260', height: '750', alt: '' });
  expect(image?.src).toContain('monstera');
});

test('until its photo has been read, a card shows the picture of the species', () => {
  const view = plantView({ photo_id: 'photo-1', species: 'Monstera deliciosa' });
  expect(attributesOf(card(view), 'img')[0]?.src).toContain('monstera');
});

test.each<[which: string, device_id: string, listCount: number]>([
  ['a plant with a device', 'sprig-demo-01', 2],
  ['a plant without one', '', 1],
])(
  'until the readings are read, the card of %s reserves their height or does not',
  (_, device_id, listCount) => {
    expect(attributesOf(card(plantView({ device_id })), 'ul')).toHaveLength(listCount);
  },
);

test('the card of a plant without a device that was made on this device reserves no height for readings', () => {
  const record = plantRecord({ id: 'server-id', device_id: '' });
  const plant = { key: 'local-id', record, stamp: '', waiting: [], rejected: [] };
  expect(attributesOf(card(toPlantView(plant, now)), 'ul')).toHaveLength(1);
});

test('for screen readers each care fact says what it is about', () => {
  const view = plantView({
    device_id: '',
    watering_frequency: 3,
    sunlight_requirements: 'Full Sun',
    ideal_temperature_min: 16,
    ideal_temperature_max: 27,
  });
  const names = attributesOf(card(view), 'li').map((attributes) => attributes['aria-label']);
  expect(names).toEqual(['Watering: Every 3 days', 'Light: Full', 'Temperature: 16–27 °C']);
});

test.each<[frequency: number, text: string]>([
  [1, 'Every 1 day'],
  [0.5, 'Every 0.5 days'],
  [3650, 'Every 3650 days'],
])('a watering frequency of %d days reads "%s"', (watering_frequency, text) => {
  expect(textsOf(card(plantView({ watering_frequency })))).toContain(text);
});

test.each<[HealthStatus, badge: boolean, text: string]>([
  ['excellent', false, 'Healthy'],
  ['good', false, 'Healthy'],
  ['fair', true, 'Needs attention'],
  ['poor', true, 'Needs attention'],
  ['critical', true, 'Needs attention'],
])(
  'the card of a plant with health status %s (status badge: %s) says "%s"',
  (healthStatus, badge, text) => {
    const view = plantView();
    view.plant.iotIntegration.healthStatus = healthStatus;
    const texts = textsOf(card(view));
    expect(texts.includes(healthStatus)).toBe(badge);
    expect(texts).toContain(text);
  },
);

test.each<[what: string, state: Partial<PlantView>, mark: string]>([
  ['an unsent change', { isWaiting: true }, 'Waiting to be sent'],
  ['a rejected change', { isRejected: true }, 'Could not be saved'],
])('%s is marked in words', (_, state, mark) => {
  expect(textsOf(card(plantView()))).not.toContain(mark);
  expect(textsOf(card({ ...plantView(), ...state }))).toContain(mark);
});

test('a rejected watering does not mark its plant, because it changed no value of the plant', () => {
  const rejected = [opRow({ type: 'water', state: 'rejected' })];
  const plant = { key: 'p1', record: plantRecord(), stamp: '', waiting: [], rejected };
  expect(textsOf(card(toPlantView(plant, now)))).not.toContain('Could not be saved');
});

test('Water Now is not busy with a watering that a rejected new plant blocks', () => {
  const waiting = [opRow({ seq: 2, type: 'water' })];
  const rejected = [opRow({ type: 'create', state: 'rejected' })];
  const plant = { key: 'p1', record: plantRecord(), stamp: '', waiting, rejected };
  expect(toPlantView(plant, now).wateringOp).toBeNull();
});

test.each<[what: string, record: Partial<PlantRecord>]>([
  ['markup', { nickname: '<img src=x onerror=alert(1)>' }],
  ['quotes', { plant_name: '"><script>alert(1)</script>' }],
])('a name with %s adds no element to the card', (_, record) => {
  expect(attributesOf(card(plantView(record)), 'img')).toHaveLength(1);
  expect(attributesOf(card(plantView(record)), 'script')).toEqual([]);
});
