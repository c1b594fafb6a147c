import * as v from 'valibot';

/**
 * A moment in the API: ISO 8601 with a time zone, from 1970 on, on a day that exists. The output is a text that
 * Date.parse understands.
 */
export const momentSchema = v.config(
  v.pipe(
    v.string(),
    v.isoTimestamp('Must be a moment in ISO 8601'),
    v.transform(withMinutes),
    v.check(exists, 'Must be a moment that exists'),
  ),
  { abortPipeEarly: true },
);

/** ISO 8601 allows an offset of hours only (+07), which Date.parse does not understand. */
function withMinutes(text: string): string {
  return text.replace(/([+-]\d\d)$/, '$1:00');
}

/** Date.parse alone accepts 31 February as 3 March. */
function exists(text: string): boolean {
  const day = text.slice(0, 10);
  return Date.parse(text) >= 0 && new Date(day).toISOString().startsWith(day);
}
