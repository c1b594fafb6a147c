import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { rememberTwin } from './key-support.ts';
import { sameFields } from './merge.ts';

/**
 * A new plant that looks like one whose making is of unknown outcome: most likely it is that one. It is held back until
 * the op is answered, or it would stand beside itself. Answers the records to keep; within the transaction of a pull.
 */
export async function withoutTwins(
  db: DeviceDb,
  records: PlantRecord[],
  isKnown: (id: string) => boolean,
): Promise<PlantRecord[]> {
  const creates = await db.outbox.filter(isUnderWay).toArray();
  if (creates.length === 0) return records;
  const claimed = new Set((await db.idmap.toArray()).map(({ serverId }) => serverId));
  const twins = new Set<PlantRecord>();
  for (const op of creates) {
    const twin = records.find(
      (record) =>
        !isKnown(String(record.id)) &&
        !claimed.has(String(record.id)) &&
        !twins.has(record) &&
        sameFields(record, op.edits),
    );
    if (!twin) continue;
    twins.add(twin);
    await rememberTwin(db, op, String(twin.id));
  }
  return records.filter((record) => !twins.has(record));
}

function isUnderWay({ kind, state, request }: Op): boolean {
  return kind === 'create' && request !== null && (state === 'inflight' || state === 'uncertain');
}
