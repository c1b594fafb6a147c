import { entryLimits, maxBackDays, notWateredReasons } from '#domain/journal/entry.ts';
import { wireFields } from '#domain/plant/fields.ts';
import { measureScales } from '#domain/reading/optimal-range.ts';
import { measures, possibleRange } from '#domain/reading/reading.ts';
import { waitReasons } from '#domain/watering/rule.ts';

/** Descriptions by field name. Each must be true of every request and response that has the field. */
export const fieldNotes: Readonly<Record<string, string>> = {
  username: 'The full name; need not be unique',
  email: 'Unique; case-insensitive',
  username_or_email:
    'The email address, or the username if only one verified account has it, or only one account at all',
  rememberMe: '`true` for a session of 30 days instead of 12 hours',
  access_token: 'Sent with every other call as `Authorization: Bearer …`',
  is_verified: 'Whether the email address was verified with the emailed link',
  time_zone: 'An IANA name such as Europe/Paris; null: UTC+7',
  device_key:
    'Names the databases of the account on devices: its first email address, followed by its id if another account had that address before',
  client: 'Browser and system in words; null: unknown',
  is_per_plant: 'One event per plant instead of one per day',
  fetched_at: 'When a calendar app last requested the feed, to the hour, ISO 8601 UTC; null: never',
  is_current: 'Whether it is the session of this request',
  ...plantNotes(),
  etag: 'The version as an ETag, e.g. `"v7"`, quotes included; can be sent as If-Match',
  date_added: 'ISO 8601 UTC',
  last_watered: 'ISO 8601 UTC; null: never',
  next_watering_date:
    'ISO 8601 UTC; `watering_frequency` days after the last watering, or after `date_added` if there was none; `snoozed_until` if that is later',
  snoozed_until:
    'ISO 8601 UTC; the end of the newest snooze since the last watering, even if it has passed; null: none',
  journal_version: 'Incremented by every change of the journal or the photos of the plant',
  last_fertilized: 'ISO 8601 UTC; null: never',
  health_status: 'Good, Warning, Critical, or Unknown without a reading in 24 hours',
  auto_watering_reason: `Why automatic watering does not water: ${waitReasons.filter((reason) => reason !== 'off').join(', ')}; later versions may add codes. Null when it waters or is off`,
  auto_watering_since:
    'ISO 8601 UTC; since when that reason applies. For `stale`: the time of the last reading. Null when unknown',
  auto_watering_note: 'The reason as an English text, for programs that do not know the codes',
  journal_entry: 'The entry that was added or changed; null if it was removed',
  at: `When it was done, ISO 8601. In requests: at most ${entryLimits.backDays} days in the past, unless it is the unchanged time of the entry; up to 5 minutes in the future counts as now`,
  source: '`manual`: a person did it; `auto`: automatic watering did it',
  soil_before: '%, before the watering',
  soil_after: '%, the highest in the 2 hours after the watering',
  days: 'snoozed: the plant is due again after this many days',
  reason: `not_watered: ${notWateredReasons.join(', ')}; later versions may add codes`,
  taken_at: 'ISO 8601; a time in the future counts as now',
  entry_id: 'The entry of the journal that the photo belongs to; null: no entry',
  plant_id: 'The id of the plant',
  width: 'Of the full size, pixels',
  height: 'Of the full size, pixels',
  size: '`full` or `small`',
  next: 'The `before` of the request for the next page; null on the last page',
  before: 'The `next` of the previous page',
  plants: 'Ids of plants, separated by commas',
  last_reading_time: 'ISO 8601 UTC; null: no reading yet',
  ...measureNotes(),
  timestamp: 'When it was measured, ISO 8601 with a time zone; default: now',
  commands: 'The commands that the device must run now: each at most once, none after `expires_at`',
  command_results: 'The results of commands; a repeated result counts once',
  amount_ml:
    'Millilitres. Of an entry: null if unknown. Of the result of a command: never null; without it, the full amount ran if it is `done`, and an unknown one if it `failed`',
  expires_at: 'ISO 8601 UTC',
  amount: 'Millilitres',
  edited_at:
    'ISO 8601; when the person made the edit, default: now. The edit does not unlock automatic watering if it is 24 h old, or if a command that was issued after it has ended, unless it turns automatic watering off or changes the device',
  added_at: `ISO 8601; when the plant was added, default: now. At most ${maxBackDays} days in the past; up to 5 minutes in the future counts as now`,
  watered_at: `ISO 8601; default: now. At most ${maxBackDays} days in the past; up to 5 minutes in the future counts as now`,
  limit: 'Maximum number; default: 200 readings, or 100 entries',
  from: 'ISO 8601, inclusive',
  to: 'ISO 8601, inclusive',
  avg: 'The mean',
  count: 'How many there are: readings with the measure, buckets, or waterings of a mark',
  token: 'A secret: the token of the emailed link, or that of a device',
  digest_enabled: 'Whether one message a day lists the plants that need water',
  digest_time: 'HH:MM in the account’s time zone. Within the quiet hours it is sent at their end',
  alerts_enabled: 'Whether problems of sensors, pumps and plants are reported',
  quiet_from:
    'HH:MM; no digest and no alert is sent from then until `quiet_to`. If they are equal, there are no quiet hours',
  quiet_to: 'HH:MM',
  ntfy_url: 'The URL of an ntfy topic; null for none',
  push_key: 'The public VAPID key, base64url: the applicationServerKey of subscriptions',
  push_subscriptions: 'How many browsers of the account have subscribed',
  push_subscribed: 'Whether the browser of this session is subscribed',
  replaces: 'The endpoint of the browser’s earlier subscription, which is deleted',
  mail_to_files:
    'Whether the server writes emails to files instead of sending them, because it has no mail server',
  warning:
    'What the person should know about a message that was accepted; missing if there is nothing',
  accepted_at: 'When the service last accepted a message, ISO 8601 UTC; null: never',
  problem: 'Why the last message was not accepted; null if it was',
  endpoint: 'An https URL of a known push service',
  account: 'The browser’s name for the account; every message to it contains it',
  created_at: 'ISO 8601 UTC',
  last_used_at: 'ISO 8601 UTC, accurate to a few minutes; null: never',
  code: 'A code for programs',
  message: 'A text for people',
  detail: 'One entry per invalid field',
  loc: 'The field: `body`, `query` or `header`, then the path within it',
  msg: 'What is wrong with it',
};

function measureNotes(): Record<string, string> {
  const notes = measures.flatMap((measure) => {
    const { unit } = measureScales[measure];
    const { min, max } = possibleRange[measure];
    return [
      [`latest_${measure}`, unit],
      [measure, `${unit}, ${min} to ${max}; null: not measured`],
    ];
  });
  return Object.fromEntries(notes);
}

function plantNotes(): Record<string, string> {
  const notes = wireFields.map(({ name, spec, end }) => {
    const note =
      spec.type === 'range'
        ? [spec.unit, spec.notes?.[end ?? 'min']].filter(Boolean).join('; ')
        : spec.note;
    return note === undefined ? [] : [[name, note] as const];
  });
  return Object.fromEntries(notes.flat());
}
