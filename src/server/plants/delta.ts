import { deltaReadings } from '#contract/plant-delta.ts';
import { dayMs } from '#domain/time.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import type { Queryable } from '../database/transaction.ts';
import { readingJson } from '../readings/queries.ts';
import { type Cursor, currentState, cursorEtag } from './changes.ts';
import { jsonAt, type PlantList, type PlantRow, selectPlants } from './queries.ts';

type DeltaRow = PlantRow & {
  change: number;
  forgotten: number;
  epoch: string;
  plantId: string | null;
  hasNewRecord: boolean;
  /** The new readings as JSON text; null if there are none. */
  readings: string | null;
};

/** Time (ms) after its newest reading at which a plant's health becomes Unknown, and its automatic watering `stale`. */
const flipAfterMs = [dayMs, wateringLimits.maxAgeMs];

/** SQL: whether the plant became Unknown or stale between the times $3 and $4. */
const flips = `deleted_at IS NULL AND (${flipAfterMs
  .map(
    (ms) => `(last_reading_at >= $3::timestamptz - interval '${ms + 1} milliseconds'
      AND last_reading_at <= $4::timestamptz - interval '${ms} milliseconds')`,
  )
  .join(' OR ')})`;

const newReadings = `(SELECT json_agg(${readingJson()} ORDER BY ts DESC) FROM (
    SELECT * FROM sensor_logs WHERE user_id = $1 AND plant_id = c.plant_id
    ORDER BY ts DESC LIMIT ${deltaReadings}
  ) newest WHERE change > $2)::text`;

/** One statement, so that the cursor and the changes are read in one snapshot. */
function statementOf({ entries, hasReadings }: PlantList): string {
  return `SELECT state.*, c.plant_id AS "plantId", c."hasNewRecord", p.*,
      ${hasReadings ? `CASE WHEN c.change > $2 AND c.deleted_at IS NULL THEN ${newReadings} END` : 'NULL'} AS readings
    FROM ${currentState} state
    LEFT JOIN (
      SELECT *, record_change > $2 OR (${flips}) AS "hasNewRecord" FROM plant_changes
      WHERE user_id = $1 AND (${hasReadings ? 'change' : 'record_change'} > $2 OR (${flips}))
    ) c ON true
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
  { userId, base, now }: { userId: string; base: Cursor; now: Date },
): Promise<Changes> {
  const at = now.getTime();
  const { rows } = await db.query<DeltaRow>({
    name: `${list.name}-delta`,
    text: statementOf(list),
    values: [userId, base.change, ...timesBetween(base.at, at)],
  });
  const [state] = rows;
  const isKnown =
    state?.epoch === base.epoch && base.change <= state.change && base.change >= state.forgotten;
  if (!state || !isKnown) return { type: 'unknown' };
  const changed = rows.filter(({ plantId }) => plantId !== null);
  if (changed.length === 0) return { type: 'unchanged' };
  const delta = deltaOf(changed, list, now);
  if (await isLarger(db, userId, delta)) return { type: 'unknown' };
  return {
    type: 'delta',
    json: `{"changed": ${delta.records}, ${delta.rest}}`,
    etag: cursorEtag({ change: state.change, epoch: state.epoch, at }),
  };
}

/**
 * The two times between which `flips` searches. If the clock was set back, a later end is used, so that plants that
 * were stale by the earlier clock count as changed as well.
 */
function timesBetween(base: number, now: number): [Date, Date] {
  if (now >= base) return [new Date(base), new Date(now)];
  return [new Date(now), new Date(base + 2 * wateringLimits.maxAgeMs)];
}

interface DeltaParts {
  /** The JSON of `changed`. */
  records: string;
  /** The other entries. */
  rest: string;
}

function deltaOf(rows: readonly DeltaRow[], { hasReadings }: PlantList, now: Date): DeltaParts {
  const present = rows.filter(({ json }) => json !== null);
  const removed = rows.filter(({ json, hasNewRecord }) => hasNewRecord && json === null);
  const ids = JSON.stringify(removed.map(({ plantId }) => plantId));
  const readings = rows.flatMap(({ plantId, readings: newest }) =>
    newest === null ? [] : [`"${plantId}": ${newest}`],
  );
  return {
    records: `[${present.map((plant) => jsonAt(plant, now)).join(', ')}]`,
    rest: `"removed": ${ids}${hasReadings ? `, "readings": {${readings.join(', ')}}` : ''}`,
  };
}

/** A smaller delta (in characters) is sent without counting the plants of the list first. */
const smallDelta = 64 * 1024;

/** A plant in a list takes about this many characters at least. */
const recordLength = 1_000;

/** Whether the delta's readings and removals are larger than the whole list. */
async function isLarger(db: Queryable, userId: string, { rest }: DeltaParts): Promise<boolean> {
  if (rest.length < smallDelta) return false;
  const { rows } = await db.query<{ count: number }>({
    name: 'plant-count',
    text: 'SELECT count(*)::int AS count FROM plants WHERE user_id = $1',
    values: [userId],
  });
  return rest.length > recordLength * (rows[0]?.count ?? 0);
}
