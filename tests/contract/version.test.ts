import * as v from 'valibot';
import { expect, test } from 'vitest';
import { hashOf, wireShape } from './support/wire-shape.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../src/contract/**/*.ts', {
  eager: true,
});

const whenItFails = `The wire has changed. Installed apps may be months old, with changes still to be sent, so it may only grow:
a new field is optional on both ends, and nothing is renamed, removed or made stricter than it was.
If that holds, write the received hashes into this test in the same commit.`;

/** The hash of every exported object of the contract (schemas, paths, headers, limits), by file and name. */
function wireNow(): Record<string, string> {
  const parts = Object.entries(modules).flatMap(([file, exported]) =>
    Object.entries(exported)
      .filter(([, part]) => typeof part === 'object')
      .map(([name, part]) => [`${file.replace(/^.*\//, '')} ${name}`, hashOf(part)] as const),
  );
  return Object.fromEntries(parts);
}

test('the wire format is unchanged', () => {
  expect(wireNow(), whenItFails).toEqual({
    'auth.ts authPaths': 'czcaaudCcGkD',
    'auth.ts emailSchema': 'f_DaLMGrTASc',
    'auth.ts forgotPasswordPayloadSchema': 'A0EH0QBv8jeD',
    'auth.ts loginResponseSchema': '-iSi7uKLFmnF',
    'auth.ts loginPayloadSchema': 'nZJJhG9RLH2s',
    'auth.ts registerResponseSchema': 'ODFWaoKUrjZG',
    'auth.ts registerPayloadSchema': 'zlYnyy3HKWOT',
    'auth.ts resetPasswordPayloadSchema': '3tpxWIm-vx28',
    'auth.ts userSchema': 'Zyzpeeh_u2gE',
    'batch.ts batchResponseSchema': 'WxdTfnRCpzWt',
    'batch.ts batchCalls': 'bgyP85QQS3_R',
    'batch.ts batchLimits': 'Mio0CVTNzcy1',
    'batch.ts batchPaths': 'HE8xejwkhf60',
    'batch.ts batchPayloadSchema': 'uNcNWlFEyUgA',
    'calendar.ts calendarPaths': 'QPnkeMuQNl6J',
    'calendar.ts calendarPayloadSchema': 'wW23YT5SnrUL',
    'calendar.ts calendarStateSchema': 'E2uo_zAgKhxZ',
    'calendar.ts newCalendarSchema': 'BHgDTLwUae80',
    'device-tokens.ts deviceTokenPaths': '1iOiznm1LWRs',
    'device-tokens.ts deviceTokenPayloadSchema': 'ekO2NUwi6mOV',
    'device-tokens.ts deviceTokensSchema': 'ZgEafuS2mirc',
    'device-tokens.ts newDeviceTokenSchema': 'BZRmejnOTYIM',
    'errors.ts errorBodySchema': '3_08xH8Tg0Ez',
    'headers.ts headers': 'tw1jvWszm3NO',
    'journal.ts changedJournalSchema': '0eJmtlSLxvPK',
    'journal.ts entryEditSchema': 'vG9sieZMfwvB',
    'journal.ts journalEntrySchema': 't8RSvNJYiIJc',
    'journal.ts journalLimits': 'bopCPqN-y3Im',
    'journal.ts journalPaths': 'qvUsKDoJXA-N',
    'journal.ts journalQuerySchema': 'r7__vUwF_ZuZ',
    'journal.ts journalsResponseSchema': 'FXJR-yWwZ9qG',
    'journal.ts journalsQuerySchema': 'eoH31lzX5yqa',
    'journal.ts newEntrySchema': 'PFg2uxMnGPP4',
    'journal.ts plantJournalSchema': 'wP0NinDNY48F',
    'logs.ts latestReadingSchema': 'f5uMEN6v2_RP',
    'logs.ts logResponseSchema': 'gHqpPQ0k4ANI',
    'logs.ts logArrayOfPayloads': 'ymFpqcE9I2lb',
    'logs.ts logBodySchema': 'ki-kIgPvTx7G',
    'logs.ts logLimits': 'f57OPgJsUYzT',
    'logs.ts logPaths': 'lrW5mr6QGJnP',
    'logs.ts logPayloadSchema': '4VLbhyeUxMK3',
    'logs.ts logsResponseSchema': 'a-6j1oLHpBEF',
    'logs.ts logsQuerySchema': 'tkxdk8_QsHOQ',
    'logs.ts logsSummarySchema': 'iOREzWxVnAbf',
    'logs.ts readingLogSchema': 'kqSD94NDUMTV',
    'logs.ts readingLogsSchema': 'NNWpZnm6mUbs',
    'moment.ts momentSchema': 'pAh3jHcOT9Zw',
    'photos.ts journalPhotoSchema': 'eJvz6equcLNZ',
    'photos.ts photoParts': 'RcazYJL2oyBN',
    'photos.ts photoPaths': 'ZXBAiAK3WXQP',
    'photos.ts photoQuerySchema': 'IF6P8fJgbVo-',
    'photos.ts photoSizeQuerySchema': 'qvnpVXYIQTgz',
    'photos.ts photosResponseSchema': 'yUkHkzUPR5zp',
    'plant-delta.ts plantDeltaSchema': 'XHByuAOK-sW7',
    'plant-payload.ts plantPayloadSchema': '_hyprcGorpho',
    'plants.ts createQuerySchema': 'qBdc5-rcCVzm',
    'plants.ts messageResponseSchema': 'GtTjyNu4Tb-J',
    'plants.ts plantListSchema': 'WOoqVnxC-hLN',
    'plants.ts plantPaths': 'QLiCt3ymGCPp',
    'plants.ts plantRecordSchema': '2sCVEGhp7ZHt',
    'plants.ts plantsWithReadingsSchema': 'ftdU89PYCang',
    'plants.ts recordEntries': '58M2Lp5sX4sq',
    'plants.ts updateQuerySchema': '31xckRC2pKe7',
    'plants.ts waterQuerySchema': 'RbK-eAFkJo6o',
    'profile.ts accountSessionsSchema': 'cZt7p41F9URz',
    'profile.ts emailPayloadSchema': 'Jb4StP-PHGzN',
    'profile.ts passwordPayloadSchema': '3df-gvZcuh_b',
    'profile.ts profilePaths': 'ZKnF0kE_GIZj',
    'profile.ts profilePayloadSchema': 'ehyUcQssj05O',
    'reminders.ts pushSubscriptionPayloadSchema': 'd4f_GqMeGFqb',
    'reminders.ts reminderChannels': 'Q_L0g0CfctPM',
    'reminders.ts reminderPaths': 'vLA0Zx3IXYm0',
    'reminders.ts reminderSettingsPayloadSchema': 'v1gGijLGClbr',
    'reminders.ts reminderStateSchema': '0YtMRc7WYOHg',
    'reminders.ts testPayloadSchema': 'qIfk5OsKp6OV',
    'reminders.ts testResponseSchema': 'fWiwvb_tCG4U',
    'series.ts seriesResponseSchema': 'SDBs4h52i1_L',
    'series.ts seriesPaths': 'MI0XX_WJgOtc',
    'series.ts seriesPoints': '-EjyYxucIxzL',
    'series.ts seriesQuerySchema': 'uEc5e2vaX2UX',
  });
});

const now = v.object({ name: v.pipe(v.string(), v.maxLength(5)), kind: v.picklist(['a', 'b']) });

test.each<[change: string, v.GenericSchema]>([
  ['a renamed field', v.object({ title: now.entries.name, kind: now.entries.kind })],
  ['an additional field with any name', v.object({ ...now.entries, message: v.string() })],
  ['a removed field', v.object({ name: now.entries.name })],
  ['a field that is optional', v.object({ ...now.entries, name: v.optional(now.entries.name) })],
  ['another limit', v.object({ ...now.entries, name: v.pipe(v.string(), v.maxLength(4)) })],
  [
    'an additional transformation',
    v.object({ ...now.entries, name: v.pipe(now.entries.name, v.trim()) }),
  ],
  ['another value', v.object({ ...now.entries, kind: v.picklist(['a', 'c']) })],
  ['strictness', v.strictObject(now.entries)],
])('detects %s', (_, changed) => {
  expect(hashOf(changed)).not.toBe(hashOf(now));
});

test('the hash of the wire format ignores error texts and the order of fields', () => {
  const reworded = v.object({
    kind: v.picklist(['a', 'b'], 'Choose'),
    name: v.pipe(v.string('Required'), v.maxLength(5, 'Too long')),
  });
  expect(wireShape(reworded)).toEqual(wireShape(now));
  expect(hashOf(reworded)).toBe(hashOf(now));
});
