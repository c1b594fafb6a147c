import type * as v from 'valibot';
import * as auth from '#contract/auth.ts';
import * as devices from '#contract/device-tokens.ts';
import { errorBodySchema } from '#contract/errors.ts';
import * as logs from '#contract/logs.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import * as plants from '#contract/plants.ts';

/** Schemas that are listed by name in the document's components. */
export const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  Registration: auth.registerPayloadSchema,
  Credentials: auth.loginPayloadSchema,
  AccessToken: auth.loginAnswerSchema,
  User: auth.userSchema,
  PasswordForgotten: auth.forgotPasswordPayloadSchema,
  PasswordChosen: auth.resetPasswordPayloadSchema,
  PlantFields: plantPayloadSchema,
  Plant: plants.plantRecordSchema,
  Plants: plants.plantListSchema,
  PlantsWithReadings: plants.plantsWithReadingsSchema,
  Report: logs.logPayloadSchema,
  StoredReport: logs.logAnswerSchema,
  Reading: logs.readingLogSchema,
  Readings: logs.readingLogsSchema,
  LatestReading: logs.latestReadingSchema,
  ReadingsSummary: logs.logsSummarySchema,
  NewDevice: devices.deviceTokenPayloadSchema,
  NewDeviceToken: devices.newDeviceTokenSchema,
  DeviceTokens: devices.deviceTokensSchema,
  Message: plants.messageAnswerSchema,
  Error: errorBodySchema,
};

/** Descriptions for rules that JSON Schema cannot express. */
export const schemaNotes: Readonly<Record<string, string>> = {
  PlantFields:
    'The editable fields of a plant. Where both a minimum and a maximum are given, the minimum must be lower. Unknown fields are ignored.',
  Report:
    'A sensor reading. Requires a plant or a device, and at least one measurement. The timestamp may be at most 5 minutes in the future.',
};
