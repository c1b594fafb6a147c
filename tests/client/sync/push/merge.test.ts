import { expect, test } from 'vitest';
import { merge } from '#client/sync/push/merge.ts';
import {
  fieldGroups,
  type PlantFields,
  plantFieldNames,
  rangeFieldNames,
  wireFields,
} from '#domain/plant/fields.ts';
import { plantRecord } from '../../../support/device/device-rows.ts';
import { plantPayload } from '../../../support/factories.ts';
import { fc } from '../../../support/properties.ts';

const soil = (min: number | null, max: number | null): Partial<PlantFields> => ({
  soil_humidity_threshold_min: min,
  soil_humidity_threshold_max: max,
});
const device = (device_id: string | null, auto_watering_enabled: boolean) => ({
  device_id,
  auto_watering_enabled,
});

/** The fields of a record that every version of the app sends. */
function firstFields(record: PlantFields): Partial<PlantFields> {
  const names = wireFields.filter(({ spec }) => !spec.since).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

test.each<
  [
    what: string,
    base: Partial<PlantFields>,
    fresh: Partial<PlantFields>,
    edits: Partial<PlantFields>,
    overwritten: object[],
  ]
>([
  ['changed here alone', { nickname: 'A' }, { nickname: 'A' }, { nickname: 'B' }, []],
  [
    'changed on both devices',
    { nickname: 'A' },
    { nickname: 'C' },
    { nickname: 'B' },
    [{ mine: { nickname: 'B' }, theirs: { nickname: 'C' } }],
  ],
  ['changed alike', { nickname: 'A' }, { nickname: 'B' }, { nickname: 'B' }, []],
  ['without a known base value', {}, { nickname: 'C' }, { nickname: 'B' }, []],
  [
    'blank in the base and on the server',
    { location: null },
    { location: null },
    { location: 'Hall' },
    [],
  ],
  [
    'emptied elsewhere',
    { location: 'Hall' },
    { location: null },
    { location: 'Attic' },
    [{ mine: { location: 'Attic' }, theirs: { location: null } }],
  ],
  [
    'a range whose ends were moved past each other on two devices',
    soil(30, 70),
    soil(30, 40),
    soil(60, 70),
    [{ mine: soil(60, 70), theirs: soil(30, 40) }],
  ],
  ['a pair changed here alone', soil(30, 70), soil(30, 70), soil(20, 70), []],
  [
    'a device and its automatic watering',
    device('d1', false),
    device('d2', false),
    device('d1', true),
    [{ mine: device('d1', true), theirs: device('d2', false) }],
  ],
])(
  '%s: this device’s value wins, and overwritten values are reported',
  (_, base, fresh, edits, overwritten) => {
    const record = plantRecord({ ...fresh, description: 'theirs' });
    const merged = merge(record, { edits, base });
    expect(merged.payload).toEqual({
      ...firstFields(plantPayload()),
      ...fresh,
      description: 'theirs',
      ...edits,
    });
    expect(merged.overwritten).toEqual(overwritten);
  },
);

test('fields that were added after version 0.1 are sent only if they were edited', () => {
  // The record on the device may contain outdated values of these fields, which must not be sent.
  const record = plantRecord({ reminder_enabled: false, photo_id: 'photo-1' });
  const edits = { reminder_days_before: 2 };
  const { payload } = merge(record, { edits, base: { reminder_days_before: 0 } });
  expect(payload).toEqual({ ...firstFields(plantPayload()), ...edits });
});

test('an edit that the server already has needs no request', () => {
  const edits = { nickname: 'B', location: null };
  const { location: _, ...record } = plantRecord({ nickname: 'B' });
  expect(merge(record, { edits, base: { nickname: 'A' } }).isUpToDate).toBe(true);
  expect(merge(plantRecord(), { edits, base: { nickname: 'A' } }).isUpToDate).toBe(false);
});

const orderedPair = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]) => (a < b ? [a, b] : [b - 1, Math.max(a, b)]));

const anyFields: fc.Arbitrary<PlantFields> = fc
  .record({
    nickname: fc.constantFrom('A', 'B', 'C'),
    location: fc.constantFrom(null, 'Hall', 'Attic'),
    watering_frequency: fc.integer({ min: 1, max: 3 }),
    device_id: fc.constantFrom(null, 'd1', 'd2'),
    auto_watering_enabled: fc.boolean(),
    pairs: fc.array(orderedPair, {
      minLength: rangeFieldNames.length,
      maxLength: rangeFieldNames.length,
    }),
  })
  .map(({ pairs, ...fields }) =>
    plantPayload({
      ...fields,
      ...Object.fromEntries(
        rangeFieldNames.flatMap((name, i) => [
          [`${name}_min`, pairs[i]?.[0]],
          [`${name}_max`, pairs[i]?.[1]],
        ]),
      ),
    }),
  );

/** The server's fields (`fresh`), a form's edits of some whole field groups, and their former values (`base`). */
const anyConflict = fc
  .tuple(anyFields, anyFields, anyFields, fc.subarray([...fieldGroups]))
  .map(([before, fresh, after, groups]) => {
    const pick = (from: PlantFields) =>
      Object.fromEntries(groups.flat().map((name) => [name, from[name]]));
    return { fresh, edits: pick(after), base: pick(before) };
  });

test('property: edited fields get the edited value and all others the value of the server', () => {
  fc.assert(
    fc.property(anyConflict, ({ fresh, edits, base }) => {
      const { payload, isUpToDate } = merge({ id: 'p1', ...fresh }, { edits, base });
      expect(payload).toEqual({ ...firstFields(fresh), ...edits });
      const merged = { ...fresh, ...payload };
      expect(Object.keys(merged).sort()).toEqual([...plantFieldNames].sort());
      expect(isUpToDate).toBe(JSON.stringify(merged) === JSON.stringify(fresh));
    }),
  );
});

test('property: two valid ranges never merge into one with minimum above maximum', () => {
  fc.assert(
    fc.property(anyConflict, ({ fresh, edits, base }) => {
      const { payload } = merge({ id: 'p1', ...fresh }, { edits, base });
      for (const name of rangeFieldNames) {
        expect(Number(payload[`${name}_min`])).toBeLessThan(Number(payload[`${name}_max`]));
      }
    }),
  );
});

test('property: a group of fields is reported as overwritten exactly when it was edited here and its values on the server have changed and differ from the edit', () => {
  fc.assert(
    fc.property(anyConflict, ({ fresh, edits, base }) => {
      const { overwritten } = merge({ id: 'p1', ...fresh }, { edits, base });
      const lost = new Set(overwritten.flatMap(({ mine }) => Object.keys(mine)));
      for (const group of fieldGroups) {
        const differ = (a: Partial<PlantFields>, b: Partial<PlantFields>) =>
          group.some((name) => a[name] !== b[name]);
        const isEdited = group.some((name) => name in edits);
        const isLost = isEdited && differ(fresh, base) && differ(fresh, edits);
        for (const name of group) expect(lost.has(name)).toBe(isLost);
      }
    }),
  );
});
