import { type SeriesQuery, type SeriesResponse, seriesPoints } from '#contract/series.ts';
import type { MeasureSeries } from '#domain/reading/bucket-series.ts';
import { type Buckets, bucketsBetween } from '#domain/reading/buckets.ts';
import { type Measure, measures } from '#domain/reading/reading.ts';
import { dayMs, hourMs } from '#domain/time.ts';
import type { Database } from '../../database/database.ts';
import { rollUpEnd } from './roll-up.ts';
import { asRollup, dayOf, summaryColumns } from './summaries.ts';

/** A plant's readings in buckets, as JSON text; null when the account has no such plant. */
export async function readSeries(
  { pool }: Database,
  userId: string,
  plantId: string,
  { from, to, points = seriesPoints.max }: SeriesQuery,
  now: Date,
): Promise<string | null> {
  const buckets = bucketsBetween(Date.parse(from), Date.parse(to), points);
  const { start, stepMs, count } = buckets;
  const end = new Date(start + count * stepMs);
  const level = levelOf(stepMs);
  const values = [userId, plantId, new Date(start), end, stepMs / 1000];
  const { rows } = await pool.query<SeriesRow>({
    name: `series-of-${level}`,
    text: statements[level],
    values: level === 'readings' ? values : [...values, rollUpEnd(now)],
  });
  return rows[0] ? JSON.stringify(seriesResponse(buckets, rows[0])) : null;
}

/** The name of the statement for buckets of this length. */
function levelOf(stepMs: number): keyof typeof statements {
  if (stepMs < hourMs) return 'readings';
  return stepMs < dayMs ? 'hours' : 'days';
}

interface SeriesRow {
  /** Per bucket with readings: its index, then min, max and mean of every measure. */
  buckets: [bucket: number, ...(number | null)[]][];
  /** Per bucket and source: time of the last watering (s since 1970), total ml, source and number of waterings. */
  waterings: [at: number, ml: number | null, source: 'manual' | 'auto', count: number][];
}

function seriesResponse({ start, stepMs, count }: Buckets, row: SeriesRow): SeriesResponse {
  const seriesOf = (measure: Measure): MeasureSeries => {
    const first = 1 + 3 * measures.indexOf(measure);
    const column = (offset: number) => {
      const values = new Array<number | null>(count).fill(null);
      for (const bucket of row.buckets) values[bucket[0]] = rounded(bucket[first + offset] ?? null);
      return values;
    };
    return { min: column(0), max: column(1), mean: column(2) };
  };
  return {
    start: new Date(start).toISOString(),
    step_seconds: stepMs / 1000,
    count,
    soil_humidity: seriesOf('soil_humidity'),
    air_humidity: seriesOf('air_humidity'),
    temperature: seriesOf('temperature'),
    luminance: seriesOf('luminance'),
    waterings: {
      at: row.waterings.map(([at]) => `${new Date(at * 1000).toISOString().slice(0, 19)}Z`),
      amount_ml: row.waterings.map(([, ml]) => rounded(ml)),
      source: row.waterings.map(([, , source]) => source),
      count: row.waterings.map(([, , , number]) => number),
    },
  };
}

/** Two decimal places are more than sensors measure, and keep the response for a year small. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}

/**
 * SQL: the time up to which the plant's readings are rolled up, at most $6, and `kept_from`: older readings may have
 * been deleted. Always one row.
 */
const progress = `SELECT least(coalesce(max(rolled_until), '-infinity'), $6::timestamptz) AS rolled_until,
  coalesce(max(kept_from), '-infinity') AS kept_from
  FROM rollup_progress WHERE user_id = $1 AND plant_id = $2`;

/** SQL: hours whose roll-up is out of date, so that their readings are used instead. */
const dueHours = `SELECT hour FROM rollup_due CROSS JOIN progress
  WHERE user_id = $1 AND plant_id = $2 AND hour >= $3 AND hour < $4 AND hour < rolled_until AND hour >= kept_from`;

const rollup = summaryColumns.join(', ');

/**
 * SQL: the readings that no current roll-up contains. Written as subselects, so that PostgreSQL uses the index even if
 * its estimates are wrong.
 */
const otherReadings = `SELECT ts AS at, ${asRollup()} FROM sensor_logs
    WHERE user_id = $1 AND plant_id = $2 AND ts < $4
      AND ts >= greatest($3::timestamptz, (SELECT rolled_until FROM progress))
  UNION ALL SELECT late.* FROM due CROSS JOIN LATERAL (
    SELECT ts, ${asRollup()} FROM sensor_logs
    WHERE user_id = $1 AND plant_id = $2 AND ts >= hour AND ts < hour + interval '1 hour' OFFSET 0) late`;

const rows = measures
  .map((measure) => {
    const mean = `sum(${measure}_sum) / nullif(sum(${measure}_count), 0)`;
    return `min(${measure}_min), max(${measure}_max), ${mean}`;
  })
  .join(', ');

const bucketOf = (moment: string) =>
  `floor(extract(epoch FROM ${moment} - $3::timestamptz)::float8 / $5::float8)::integer`;

/** SQL: the waterings, summarized by bucket and source as JSON arrays, oldest first. */
const waterings = `SELECT coalesce(json_agg(json_build_array(at, ml, source, count) ORDER BY at), '[]') FROM (
  SELECT floor(extract(epoch FROM max(watered_at)))::bigint AS at, sum(amount_ml) AS ml, source, count(*) AS count
  FROM waterings
  WHERE user_id = $1 AND plant_id = $2 AND watered_at >= $3 AND watered_at < $4 AND removed_at IS NULL
  GROUP BY ${bucketOf('watered_at')}, source) marks`;

/**
 * SQL: $1 account, $2 plant, $3 and $4 start and end of all buckets, $5 seconds of a bucket. With roll-ups also $6: the
 * end of the hours that may be rolled up now. Roll-ups of later hours are not used. They were stored by a server whose
 * clock was ahead, and are incomplete.
 */
function statement(parts: string, before = ''): string {
  return `WITH ${before}
    parts AS (${parts}),
    buckets AS (SELECT json_build_array(${bucketOf('at')}, ${rows}) AS bucket FROM parts GROUP BY ${bucketOf('at')})
    SELECT (SELECT coalesce(json_agg(bucket), '[]') FROM buckets) AS buckets, (${waterings}) AS waterings
    FROM plants WHERE user_id = $1 AND id = $2`;
}

const statements = {
  readings: statement(`SELECT ts AS at, ${asRollup()} FROM sensor_logs
    WHERE user_id = $1 AND plant_id = $2 AND ts >= $3 AND ts < $4`),
  hours: statement(
    `SELECT start AS at, ${rollup} FROM reading_hours
      WHERE user_id = $1 AND plant_id = $2 AND start >= $3 AND start < $4 AND start NOT IN (SELECT hour FROM due)
        AND start < (SELECT rolled_until FROM progress)
    UNION ALL ${otherReadings}`,
    `progress AS (${progress}), due AS (${dueHours}),`,
  ),
  days: statement(
    `SELECT start AS at, ${rollup} FROM reading_days
      WHERE user_id = $1 AND plant_id = $2 AND start >= $3 AND start < $4 AND start NOT IN (SELECT day FROM due_days)
        AND start < (SELECT rolled_until FROM progress)
    UNION ALL SELECT around.* FROM due_days CROSS JOIN LATERAL (
      SELECT start, ${rollup} FROM reading_hours
      WHERE user_id = $1 AND plant_id = $2 AND start >= day AND start < day + interval '24 hours'
        AND start NOT IN (SELECT hour FROM due) AND start < (SELECT rolled_until FROM progress) OFFSET 0) around
    UNION ALL ${otherReadings}`,
    `progress AS (${progress}), due AS (${dueHours}),
    due_days AS (SELECT ${dayOf('hour')} AS day FROM due
      UNION SELECT ${dayOf('rolled_until')} FROM progress WHERE rolled_until > $3 AND rolled_until < $4),`,
  ),
} as const;
