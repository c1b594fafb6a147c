import * as v from 'valibot';
import type { PlantJournal } from '#contract/journal.ts';
import { momentSchema } from '#contract/moment.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import { isoText } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import { isUuid } from '../http/request-input.ts';
import type { PlantKey } from '../plants/schema.ts';

/** SQL: the columns of an entry, from waterings and from all others. */
const wateringColumns = `id, 'watered' AS type, source, watered_at AS at, note, amount_ml, soil_before,
  NULL::int AS days, NULL::text AS reason`;
const otherColumns = `id, type, CASE type WHEN 'not_watered' THEN 'auto' ELSE 'manual' END AS source, at, note,
  NULL::float8 AS amount_ml, NULL::float8 AS soil_before, days, reason`;

/** SQL: an entry e of the plant `plantId` (an expression) as JSON. */
function entryJson(plantId: string): string {
  const soilAfter = `CASE e.type WHEN 'watered' THEN (
    SELECT max(soil_humidity) FROM sensor_logs WHERE user_id = $1::uuid AND plant_id = ${plantId}
      AND ts > e.at AND ts <= e.at + interval '${wateringLimits.effectMs / 1000} seconds') END`;
  return `json_build_object('id', e.id, 'type', e.type, 'source', e.source, 'at', ${isoText('e.at')}, 'note', e.note,
    'amount_ml', e.amount_ml, 'soil_before', e.soil_before, 'soil_after', ${soilAfter},
    'days', e.days, 'reason', e.reason)`;
}

/** SQL: the entries of plant p that come after the position ($3, $4), newest first, at most $5, as a JSON array. */
const newestEntries = `(SELECT coalesce(json_agg(${entryJson('p.id')} ORDER BY e.at DESC, e.id DESC), '[]') FROM (
    (SELECT ${wateringColumns} FROM waterings
      WHERE user_id = $1::uuid AND plant_id = p.id AND removed_at IS NULL
        AND watered_at <= $3::timestamptz AND (watered_at, id) < ($3::timestamptz, $4::uuid)
      ORDER BY watered_at DESC, id DESC LIMIT $5)
    UNION ALL
    (SELECT ${otherColumns} FROM journal_entries
      WHERE user_id = $1::uuid AND plant_id = p.id
        AND at <= $3::timestamptz AND (at, id) < ($3::timestamptz, $4::uuid)
      ORDER BY at DESC, id DESC LIMIT $5)
    ORDER BY at DESC, id DESC LIMIT $5
  ) e)`;

const photoJson = `json_build_object('id', id, 'entry_id', entry_id, 'taken_at', ${isoText('taken_at')},
  'width', width, 'height', height)`;

/** SQL: all photos of plant p, newest first, as a JSON array. */
const allPhotos = `(SELECT coalesce(json_agg(${photoJson} ORDER BY taken_at DESC, id DESC), '[]') FROM photos
  WHERE user_id = $1::uuid AND plant_id = p.id AND deleted_at IS NULL)`;

/** A position in a journal, which is ordered newest first: the entries after it are older. */
export interface JournalCursor {
  at: Date | 'infinity';
  id: string;
}

const start: JournalCursor = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** The cursor that a request passes as `before`; null if it does not have the format of a page's `next`. */
export function journalCursorIn(before: string): JournalCursor | null {
  const [, at = '', id = ''] = /^([^_]+)_(.+)$/.exec(before) ?? [];
  // Converted to a Date, because PostgreSQL rejects UTC offsets of 16 hours and more.
  const moment = v.safeParse(momentSchema, at);
  return moment.success && isUuid(id) ? { at: new Date(moment.output), id } : null;
}

interface JournalRow {
  id: string;
  version: number;
  entries: JournalEntry[];
  photos: JournalPhoto[];
}

/** Pages of the journals of the account's plants, by plant id; a plant that the account does not have is left out. */
export async function readJournals(
  db: Queryable,
  userId: string,
  plantIds: readonly string[],
  { limit, before }: { limit: number; before: JournalCursor | null },
): Promise<Map<string, PlantJournal>> {
  const { at, id } = before ?? start;
  const { rows } = await db.query<JournalRow>({
    name: 'journals',
    text: `SELECT p.id, p.journal_version AS version, ${newestEntries} AS entries, ${allPhotos} AS photos
      FROM plants p WHERE p.user_id = $1::uuid AND p.id = ANY ($2::uuid[])`,
    values: [userId, plantIds, at, id, limit + 1],
  });
  return new Map(
    rows.map(({ id: plantId, version, entries, photos }) => {
      const shown = entries.slice(0, limit);
      const last = entries.length > limit ? shown.at(-1) : undefined;
      const next = last ? `${last.at}_${last.id}` : null;
      return [plantId, { version, entries: shown, ...(before === null && { photos }), next }];
    }),
  );
}

/** All photos of a plant, newest first; null when the account has no such plant. */
export async function readPhotos(
  db: Queryable,
  { userId, id }: PlantKey,
): Promise<JournalPhoto[] | null> {
  const { rows } = await db.query<{ photos: JournalPhoto[] }>({
    name: 'photos-of-plant',
    text: `SELECT ${allPhotos} AS photos FROM plants p WHERE p.user_id = $1::uuid AND p.id = $2::uuid`,
    values: [userId, id],
  });
  return rows[0]?.photos ?? null;
}

/** One entry; null if the plant's journal does not show it. */
export async function readEntry(
  db: Queryable,
  { userId, id }: PlantKey,
  entryId: string,
): Promise<JournalEntry | null> {
  const { rows } = await db.query<{ entry: JournalEntry }>({
    name: 'journal-entry',
    text: `SELECT ${entryJson('$2::uuid')} AS entry FROM (
        SELECT ${wateringColumns} FROM waterings
          WHERE user_id = $1::uuid AND plant_id = $2::uuid AND id = $3::uuid AND removed_at IS NULL
        UNION ALL
        SELECT ${otherColumns} FROM journal_entries
          WHERE user_id = $1::uuid AND plant_id = $2::uuid AND id = $3::uuid
      ) e`,
    values: [userId, id, entryId],
  });
  return rows[0]?.entry ?? null;
}

/** Whether the plant has an entry with this id, also if it is a watering that was removed. */
export async function isKnownEntry(
  db: Queryable,
  { userId, id }: PlantKey,
  entryId: string,
): Promise<boolean> {
  const { rows } = await db.query<{ isKnown: boolean }>({
    name: 'is-known-entry',
    text: `SELECT EXISTS (SELECT FROM waterings WHERE user_id = $1 AND plant_id = $2 AND id = $3)
        OR EXISTS (SELECT FROM journal_entries WHERE user_id = $1 AND plant_id = $2 AND id = $3) AS "isKnown"`,
    values: [userId, id, entryId],
  });
  return rows[0]?.isKnown ?? false;
}
