import * as v from 'valibot';

/** ISO 8601 with its zone, from 1970 on, on a day that the calendar has: the only way the wire writes a time. */
export const momentSchema = v.config(
  v.pipe(
    v.string(),
    v.isoTimestamp('Must be a moment in ISO 8601'),
    v.check(exists, 'Must be a moment that exists'),
  ),
  { abortPipeEarly: true },
);

/** Date.parse alone makes a 3 March of 31 February. */
function exists(text: string): boolean {
  const day = text.slice(0, 10);
  return Date.parse(text) >= 0 && new Date(day).toISOString().startsWith(day);
}
