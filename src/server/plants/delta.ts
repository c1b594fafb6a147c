import { deltaReadings } from '#contract/plant-delta.ts';
import { dayMs } from '#domain/time.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import type { Queryable } from '../database/transaction.ts';
import { readingJson } from '../readings/queries.ts';
import { currentState, type ListVersion, listVersionEtag } from './changes.ts';
import { jsonAt, type PlantJsonRow, type PlantList, selectPlants } from './queries.ts';

/*
 * Finds what has changed in an account's list since an earlier version of it, the base. A version identifies a state
 * of the list by its change number and time. These columns are compared with the base:
 *
 *   plant_changes   change          newest change of the plant or its readings ─▶ `readings`, if it is newer
 *                   record_change   newest change of the plant's record ────────▶ `changed`, if it is newer
 *                   deleted_at      set when the plant was deleted ─────────────▶ `removed`
 *                   last_reading_at time of the newest reading ─────────────────▶ `changed`, see below
 *
 * A record can also change only because time passes. Automatic watering becomes `stale` 30 min after the plant's newest
 * reading, and health becomes Unknown 24 h after it. So plants whose newest reading passed one of these ages between the
 * base and now count as changed.
 *
 * One statement reads all of this in one snapshot. It returns a row for each changed plant, together with the account's
 * state. If nothing has changed, it returns one row with the state alone.
 */

/** A row of the statement. */
type DeltaRow = PlantJsonRow & {
  /** The account's state; see currentState. */
  change: number;
  forgotten: number;
  epoch: string;
  /**
   * The id of a changed plant. If nothing has changed, there is a single row, in which it is null. The columns of
   * PlantJsonRow are null if the plant is deleted or has only new readings.
   */
  plantId: string | null;
  hasNewRecord: boolean;
  /** The new readings as JSON text; null if there are none. */
  readings: string | null;
};

/** Ages of the newest reading (ms) at which a record changes: health becomes Unknown, automatic watering `stale`. */
const changesAtAges = [dayMs, wateringLimits.maxAgeMs];

/** SQL: whether the plant's newest reading reached one of these ages between the times $3 and $4. */
const hasAged = `deleted_at IS NULL AND (${changesAtAges
  .map(
    (ms) => `(last_reading_at >= $3::timestamptz - interval '${ms + 1} milliseconds'
      AND last_reading_at <= $4::timestamptz - interval '${ms} milliseconds')`,
  )
  .join(' OR ')})`;

/** SQL: those of the newest readings of plant c that were stored after change $2. */
const newReadings = `(SELECT json_agg(${readingJson()} ORDER BY ts DESC) FROM (
    SELECT * FROM sensor_logs WHERE user_id = $1 AND plant_id = c.plant_id
    ORDER BY ts DESC LIMIT ${deltaReadings}
  ) newest WHERE change > $2)::text`;

/** $1: account, $2: the base's change, $3 and $4: its time and now, see timesBetween. */
function statementOf({ entries, hasReadings }: PlantList): string {
  const changedPlants = `SELECT *, record_change > $2 OR (${hasAged}) AS "hasNewRecord" FROM plant_changes
      WHERE user_id = $1 AND (${hasReadings ? 'change' : 'record_change'} > $2 OR (${hasAged}))`;
  const readings = `CASE WHEN c.change > $2 AND c.deleted_at IS NULL THEN ${newReadings} END`;
  return `SELECT state.*, c.plant_id AS "plantId", c."hasNewRecord", p.*, ${hasReadings ? readings : 'NULL'} AS readings
    FROM ${currentState} state
    LEFT JOIN (${changedPlants}) c ON true
    LEFT JOIN LATERAL (
      ${selectPlants(entries)} WHERE p.user_id = $1 AND p.id = c.plant_id
    ) p ON c."hasNewRecord" AND c.deleted_at IS NULL
    ORDER BY c.plant_id`;
}

export type Changes =
  | { type: 'unchanged' }
  | { type: 'delta'; json: string; etag: string }
  /** The base is unknown, or the delta would be too large: the whole list has to be sent. */
  | { type: 'unknown' };

/** What has changed in a list since `base`. */
export async function readChanges(
  db: Queryable,
  list: PlantList,
  { userId, base, now }: { userId: string; base: ListVersion; now: Date },
): Promise<Changes> {
  const at = now.getTime();
  const { rows } = await db.query<DeltaRow>({
    name: `${list.name}-delta`,
    text: statementOf(list),
    values: [userId, base.change, ...timesBetween(base.at, at)],
  });
  const [state] = rows;
  if (!state || !isKnownBase(state, base)) return { type: 'unknown' };
  const changed = rows.filter(({ plantId }) => plantId !== null);
  if (changed.length === 0) return { type: 'unchanged' };
  const delta = deltaOf(changed, list, now);
  if (await isLarger(db, userId, delta)) return { type: 'unknown' };
  return {
    type: 'delta',
    json: `{"changed": ${delta.changed}, ${delta.others}}`,
    etag: listVersionEtag({ change: state.change, epoch: state.epoch, at }),
  };
}

/**
 * Whether the base is a state of this database's history, and not so old that deletions since then are no longer
 * recorded.
 */
function isKnownBase({ epoch, change, forgotten }: DeltaRow, base: ListVersion): boolean {
  return base.epoch === epoch && forgotten <= base.change && base.change <= change;
}

/**
 * The two times between which `hasAged` searches: normally the base's time and now. If the clock was set back, now is
 * before the base. The search then begins now and ends an hour after the base. So a plant that was stale at the base
 * counts as changed, even if it has had newer readings since the clock was set back.
 */
function timesBetween(base: number, now: number): [Date, Date] {
  if (now >= base) return [new Date(base), new Date(now)];
  return [new Date(now), new Date(base + 2 * wateringLimits.maxAgeMs)];
}

/**
 * The JSON of a delta in two parts. `changed` cannot become larger than the whole list, so isLarger measures only
 * `others`.
 */
interface DeltaParts {
  /** The value of `changed`. */
  changed: string;
  /** The other entries: `removed` and `readings`. */
  others: string;
}

function deltaOf(rows: readonly DeltaRow[], { hasReadings }: PlantList, now: Date): DeltaParts {
  const withRecord = rows.filter(({ json }) => json !== null);
  const deleted = rows.filter(({ json, hasNewRecord }) => hasNewRecord && json === null);
  const withReadings = rows.filter(({ readings }) => readings !== null);
  const changed = withRecord.map((plant) => jsonAt(plant, now)).join(', ');
  const removed = JSON.stringify(deleted.map(({ plantId }) => plantId));
  const readings = withReadings.map((row) => `"${row.plantId}": ${row.readings}`).join(', ');
  return {
    changed: `[${changed}]`,
    others: `"removed": ${removed}${hasReadings ? `, "readings": {${readings}}` : ''}`,
  };
}

/** If removals and readings have fewer characters, a delta is sent without counting the plants of the list first. */
const smallDelta = 64 * 1024;

/** A plant in a list usually takes at least this many characters. */
const recordLength = 1_000;

/** Whether the delta's readings and removals are not small and exceed the estimated length of the whole list. */
async function isLarger(db: Queryable, userId: string, { others }: DeltaParts): Promise<boolean> {
  if (others.length < smallDelta) return false;
  const { rows } = await db.query<{ count: number }>({
    name: 'plant-count',
    text: 'SELECT count(*)::int AS count FROM plants WHERE user_id = $1',
    values: [userId],
  });
  return others.length > recordLength * (rows[0]?.count ?? 0);
}
