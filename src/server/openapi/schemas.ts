import type * as v from 'valibot';
import * as auth from '#contract/auth.ts';
import * as devices from '#contract/device-tokens.ts';
import { errorBodySchema } from '#contract/errors.ts';
import * as logs from '#contract/logs.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import * as plants from '#contract/plants.ts';

/** The schemas that the document gives a name of their own. */
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

/** Rules that a JSON Schema cannot say, or not in plain words. */
export const schemaNotes: Readonly<Record<string, string>> = {
  PlantFields:
    'What a person may say of a plant. Of every pair of a minimum and a maximum the first must be the lower, where both are given. Unknown fields are ignored.',
  Report:
    'Names a plant or a device, and carries at least one measure. The moment may be at most 5 minutes ahead.',
};
