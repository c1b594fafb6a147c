import * as v from 'valibot';
import { type FieldSpec, maxNameLength } from '#domain/plant/field-spec.ts';
import {
  mapFields,
  type PlantFields,
  type RangeFieldName,
  rangeFieldNames,
} from '#domain/plant/fields.ts';

/**
 * The payload of POST and PUT. The required fields and the order of min and max follow spec section 5. A missing choice
 * or flag gets its default. A missing optional text or range limit becomes null. A field that was added after 0.1 stays
 * absent instead (see fieldSchema). Unknown fields are dropped.
 */
export const plantPayloadSchema: v.GenericSchema<unknown, PlantFields> = v.pipe(
  v.object(mapFields(({ spec }) => fieldSchema(spec))) as v.GenericSchema<unknown, PlantFields>,
  ...rangeFieldNames.map(minBelowMax),
);

/**
 * The schema of one field. A field that was added after 0.1 is optional and has no default, so that a PUT of an older
 * app, which does not send it, keeps the stored value.
 */
export function fieldSchema(spec: FieldSpec): v.GenericSchema {
  const schema = schemaOf(spec);
  return spec.since === undefined ? schema : v.exactOptional(schema);
}

function schemaOf(spec: FieldSpec): v.GenericSchema {
  switch (spec.type) {
    case 'name':
      return v.pipe(
        v.optional(v.string(spec.missing), ''),
        v.trim(),
        v.minLength(1, spec.missing),
        v.maxLength(maxNameLength),
      );
    case 'text':
      return v.optional(
        v.nullable(spec.isId ? idSchema(spec.maxLength) : text(spec.maxLength)),
        null,
      );
    case 'choice':
      return withFallback(v.picklist(spec.choices), spec.default);
    case 'flag':
      return withFallback(v.boolean(), spec.default);
    case 'number':
      return numberSchema(spec);
    case 'range':
      return v.optional(v.nullable(numberBetween(spec.limits)), null);
  }
}

function text(maxLength: number) {
  return v.pipe(v.string(), v.maxLength(maxLength));
}

function idSchema(maxLength: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(maxLength),
    v.transform((id) => id || null),
  );
}

function withFallback<T>(schema: v.GenericSchema<T>, fallback: T) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? fallback),
    ),
    fallback,
  );
}

function numberSchema({ required, limits, nullMeans }: FieldSpec & { type: 'number' }) {
  const { above, min = Number.NEGATIVE_INFINITY, max } = limits;
  if (nullMeans !== undefined) return withFallback(numberBetween({ min, max }), nullMeans);
  if (!required) return v.optional(v.nullable(numberBetween({ min, max })), null);
  return v.pipe(
    v.optional(v.number(required), 0),
    v.gtValue(above ?? 0, required),
    v.maxValue(max),
  );
}

function numberBetween({ min, max }: { min: number; max: number }) {
  return v.pipe(v.number(), v.minValue(min), v.maxValue(max));
}

/** Checks that the minimum is below the maximum; reports the error for the minimum. */
function minBelowMax(name: RangeFieldName) {
  const [min, max] = [`${name}_min`, `${name}_max`] as const;
  return v.forward(
    v.check<PlantFields, string>((plant) => {
      const [low, high] = [plant[min], plant[max]];
      return typeof low !== 'number' || typeof high !== 'number' || low < high;
    }, 'Minimum must be less than maximum'),
    [min],
  );
}
