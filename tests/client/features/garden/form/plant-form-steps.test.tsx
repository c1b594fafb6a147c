import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { BasicsStep, CareStep, SmartStep } from '#client/features/garden/form/plant-form-steps.tsx';
import { StepIndicator } from '#client/features/garden/form/step-indicator.tsx';
import { formDefaults } from '#domain/plant/form.ts';
import { attributesOf, textsOf } from '../../support/markup.ts';

const props = { values: formDefaults, errors: {}, change: () => undefined };

test('for screen readers the list of steps says which step is the current one and which are done', () => {
  const indicator = <StepIndicator current={1} />;
  expect(attributesOf(indicator, 'li').map((step) => step['aria-current'])).toEqual([
    undefined,
    'step',
    undefined,
  ]);
  expect(textsOf(indicator).filter((text) => text.startsWith('Step'))).toEqual([
    'Step 1 of 3, done:',
    'Step 2 of 3:',
    'Step 3 of 3:',
  ]);
});

test('step 1 asks for names and category; location and description are optional', () => {
  expect(textsOf(<BasicsStep {...props} />)).toEqual([
    ...['Nickname', 'Plant name', 'Species', 'Category'],
    ...['Indoor', 'Outdoor', 'Succulent', 'Herb', 'Vegetable', 'Fruit', 'Flower', 'Tree', 'Other'],
    ...['Location (optional)', 'Description (optional)'],
  ]);
});

test('a category, sunlight and fertilizing interval that another client set stay selected', () => {
  const values = {
    ...formDefaults,
    category: 'Cactus',
    sunlight_requirements: 'Shade',
    fertilizer_schedule: 'Weekly',
  };
  const selected = [BasicsStep, CareStep].flatMap((Step) =>
    attributesOf(<Step {...props} values={values} />, 'option')
      .filter((option) => 'selected' in option)
      .map((option) => option.value),
  );
  expect(selected).toEqual(['Cactus', 'Shade', 'Weekly']);
});

test('step 2 offers every level of sunlight and every fertilizing interval by its label', () => {
  expect(textsOf(<CareStep {...props} />).slice(0, 12)).toEqual([
    ...['Watering frequency (days)', 'Sunlight'],
    ...['Low Light', 'Medium Light', 'Bright Light', 'Full Sun'],
    'Fertilizer',
    ...['Never', 'Monthly', 'Every 2 Months', 'Quarterly', 'Twice a Year'],
  ]);
});

test('the number inputs of step 2 have their bounds and defaults', () => {
  const inputs = attributesOf(<CareStep {...props} />, 'input').map(
    ({ name, type, min, max, value }) => [name, type, min, max, value],
  );
  expect(inputs).toEqual([
    ['watering_frequency', 'number', '1', undefined, '3'],
    ['ideal_temperature_min', 'number', undefined, undefined, '18'],
    ['ideal_temperature_max', 'number', undefined, undefined, '25'],
    ['soil_humidity_threshold_min', 'number', '0', '100', '30'],
    ['soil_humidity_threshold_max', 'number', '0', '100', '70'],
    ['air_humidity_threshold_min', 'number', '0', '100', '40'],
    ['air_humidity_threshold_max', 'number', '0', '100', '60'],
    ['temperature_threshold_min', 'number', undefined, undefined, '15'],
    ['temperature_threshold_max', 'number', undefined, undefined, '30'],
    ['luminance_threshold_min', 'number', '0', undefined, '1000'],
    ['luminance_threshold_max', 'number', undefined, undefined, '10000'],
  ]);
});

test('step 3 has an optional device and automatic watering, labelled as requiring a compatible device', () => {
  const texts = textsOf(<SmartStep {...props} />);
  expect(texts).toContain('Device ID (optional)');
  expect(texts).toContain('Enable automatic watering (requires a compatible device)');
  expect(attributesOf(<SmartStep {...props} />, 'input')).toMatchObject([
    { name: 'device_id', value: '' },
    { name: 'auto_watering_enabled', type: 'checkbox' },
  ]);
});

test('only fields that cannot be negative use a keypad without a minus', () => {
  const modes = attributesOf(<CareStep {...props} />, 'input').map(({ name, inputMode }) => [
    name,
    inputMode,
  ]);
  expect(Object.fromEntries(modes)).toEqual({
    watering_frequency: 'decimal',
    ideal_temperature_min: undefined,
    ideal_temperature_max: undefined,
    soil_humidity_threshold_min: 'decimal',
    soil_humidity_threshold_max: 'decimal',
    air_humidity_threshold_min: 'decimal',
    air_humidity_threshold_max: 'decimal',
    temperature_threshold_min: undefined,
    temperature_threshold_max: undefined,
    luminance_threshold_min: 'decimal',
    luminance_threshold_max: undefined,
  });
});

test('the enter key of a phone is labelled next, enter or done', () => {
  const hints = (element: ReactElement, tag: string) =>
    attributesOf(element, tag)
      .filter(({ type }) => type !== 'checkbox')
      .map(({ enterKeyHint }) => enterKeyHint);
  expect(hints(<BasicsStep {...props} />, 'input')).toEqual(Array(4).fill('next'));
  expect(hints(<BasicsStep {...props} />, 'textarea')).toEqual(['enter']);
  expect(hints(<CareStep {...props} />, 'input')).toEqual(Array(11).fill('next'));
  expect(hints(<SmartStep {...props} />, 'input')).toEqual(['done']);
});
