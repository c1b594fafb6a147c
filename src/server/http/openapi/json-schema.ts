import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import * as auth from '#contract/auth.ts';
import * as batch from '#contract/batch.ts';
import * as devices from '#contract/device-tokens.ts';
import { errorBodySchema } from '#contract/errors.ts';
import * as journal from '#contract/journal.ts';
import * as logs from '#contract/logs.ts';
import { photosResponseSchema } from '#contract/photos.ts';
import { plantDeltaSchema } from '#contract/plant-delta.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import * as plants from '#contract/plants.ts';
import * as calendar from '#contract/settings/calendar.ts';
import * as profile from '#contract/settings/profile.ts';
import * as reminders from '#contract/settings/reminders.ts';
import { fieldNotes } from './field-notes.ts';

/** Schemas that are listed by name in the document's components. */
export const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  Registration: auth.registerPayloadSchema,
  Credentials: auth.loginPayloadSchema,
  AccessToken: auth.loginResponseSchema,
  User: auth.userSchema,
  PasswordForgotten: auth.forgotPasswordPayloadSchema,
  PasswordChosen: auth.resetPasswordPayloadSchema,
  ProfileChange: profile.profilePayloadSchema,
  EmailChange: profile.emailPayloadSchema,
  PasswordChange: profile.passwordPayloadSchema,
  Sessions: profile.accountSessionsSchema,
  PlantFields: plantPayloadSchema,
  Plant: plants.plantRecordSchema,
  Plants: plants.plantListSchema,
  PlantsWithReadings: plants.plantsWithReadingsSchema,
  Report: logs.logPayloadSchema,
  Reports: logs.logArrayOfPayloads,
  StoredReport: logs.logResponseSchema,
  StoredReports: logs.logsResponseSchema,
  Reading: logs.readingLogSchema,
  Readings: logs.readingLogsSchema,
  LatestReading: logs.latestReadingSchema,
  ReadingsSummary: logs.logsSummarySchema,
  NewEntry: journal.newEntrySchema,
  EntryEdit: journal.entryEditSchema,
  PlantWithEntry: journal.changedJournalSchema,
  PlantJournal: journal.plantJournalSchema,
  Journals: journal.journalsResponseSchema,
  Photos: photosResponseSchema,
  NewDevice: devices.deviceTokenPayloadSchema,
  NewDeviceToken: devices.newDeviceTokenSchema,
  DeviceTokens: devices.deviceTokensSchema,
  ReminderChanges: reminders.reminderSettingsPayloadSchema,
  Reminders: reminders.reminderStateSchema,
  Calendar: calendar.calendarStateSchema,
  CalendarChange: calendar.calendarPayloadSchema,
  NewCalendar: calendar.newCalendarSchema,
  ReminderTest: reminders.testPayloadSchema,
  PushSubscription: reminders.pushSubscriptionPayloadSchema,
  PlantDelta: plantDeltaSchema,
  Batch: batch.batchPayloadSchema,
  BatchResults: batch.batchResponseSchema,
  Message: plants.messageResponseSchema,
  Error: errorBodySchema,
};

/** Descriptions for rules that JSON Schema cannot express. */
export const schemaNotes: Readonly<Record<string, string>> = {
  PlantFields:
    'The editable fields of a plant. Where both a minimum and a maximum are given, the minimum must be lower. Unknown fields are ignored.',
  Batch:
    'At most 50 operations and 128 KiB. `key` and `if_match` are the Idempotency-Key and If-Match of an operation, `path` is its path with query, `body` the JSON value of its body.',
  BatchResults:
    '`headers` has those of etag, idempotent-replayed, retry-after and date that the response to the operation has.',
  Reports:
    'At most 500 readings and 128 KiB. A reading that does not match is reported in its own result; the others are stored.',
  StoredReports:
    '`body` is what the reading would get as a request of its own: the stored reading with the status 201, otherwise an error.',
  NewEntry:
    'An entry that a person adds. `days` is required for `snoozed` and a text for `note`; only `watered` has an amount.',
  Report:
    'A sensor reading. Requires a plant or a device, and at least one measurement. The timestamp may be at most 5 minutes in the future.',
};

/** Numbers in a query string are validated as text but documented as numbers. */
const numberInText: Readonly<Record<string, JsonSchema>> = {
  digits: { type: 'integer' },
  decimal: { type: 'number' },
};

const config: ConversionConfig = {
  target: 'draft-2020-12',
  // Ignored: transformations of accepted values, and rules that JSON Schema cannot express. The descriptions in
  // `schemaNotes` and `fieldNotes` explain those rules.
  ignoreActions: ['trim', 'transform', 'check', 'raw_check'],
  overrideAction: ({ valibotAction }) => numberInText[valibotAction.type],
};

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

/** A reference to a named schema, or the schema itself. */
export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const name = names.get(schema);
  return name === undefined ? jsonSchemaOf(schema) : { $ref: `#/components/schemas/${name}` };
}

/** Converts a schema's input type to JSON Schema 2020-12. Throws for a rule that it can neither express nor ignore. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema, config);
  return normalize(converted);
}

function normalize(definition: JsonSchema): JsonSchema {
  const schema = withNullAsType(definition);
  const { items, properties, additionalProperties: values } = schema;
  return {
    ...schema,
    ...(isSchema(items) && { items: normalize(items) }),
    ...(isSchema(values) && { additionalProperties: normalize(values) }),
    ...(properties && normalizeFields({ ...schema, properties })),
  };
}

function normalizeFields({
  properties,
  required = [],
}: JsonSchema & Required<Pick<JsonSchema, 'properties'>>) {
  const fields = Object.entries(properties ?? {}).filter(hasSchema);
  const needed = fields.filter(([, field]) => rejectsOwnDefault(field)).map(([name]) => name);
  const all = [...required, ...needed];
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, withNote(name, field)])),
    ...(all.length > 0 ? { required: all } : { required: undefined }),
  };
}

function withNote(name: string, field: JsonSchema): JsonSchema {
  const { default: fallback, ...rest } = normalize(field);
  return {
    ...rest,
    ...(fallback !== undefined && !rejectsOwnDefault(field) && { default: fallback }),
    ...(fieldNotes[name] !== undefined && { description: fieldNotes[name] }),
  };
}

/**
 * Whether the field's default violates the field's own rules. Such a default exists only to produce a specific error
 * message; the field is in fact required.
 */
function rejectsOwnDefault({
  default: fallback,
  minLength = 0,
  exclusiveMinimum,
}: JsonSchema): boolean {
  if (typeof fallback === 'string') return fallback.length < minLength;
  return (
    typeof fallback === 'number' && exclusiveMinimum !== undefined && fallback <= exclusiveMinimum
  );
}

/** Shortens `anyOf` of a type and null to a type list. */
function withNullAsType({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return rest;
  const [one, other] = anyOf;
  if (
    anyOf.length !== 2 ||
    !isSchema(one) ||
    !isSchema(other) ||
    other.type !== 'null' ||
    typeof one.type !== 'string'
  ) {
    return { ...rest, anyOf };
  }
  return {
    ...one,
    ...rest,
    type: [one.type, 'null'],
    ...(one.enum && { enum: [...one.enum, null] }),
  };
}

function hasSchema(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isSchema(entry[1]);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
