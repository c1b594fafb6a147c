import type { Transaction } from 'dexie';
import type { LatestFields } from '#domain/plant/plant.ts';
import type { Op, OpType } from './outbox/op.ts';
import type { LatestRow, ReadingsRow } from './schema.ts';

/**
 * One function for each version of the device database that changes stored rows. Dexie runs them in order, in the
 * versionchange transaction. An upgrade uses the field names of that time: types whose fields have changed since are
 * declared here. It must not lose anything in the outbox.
 */

/** Version 2: a person can dismiss the notice of a rejected op. */
export async function addNoticeFlag(tx: Transaction): Promise<void> {
  await tx.table('outbox').toCollection().modify({ v: 2, isNoticed: false });
}

/**
 * Version 3: a plant's newest values move from the row of its readings to a table of their own, and the rows with the
 * lists' ETags are deleted. Without ETags the lists are fetched again.
 */
export async function splitLatestFromReadings(tx: Transaction): Promise<void> {
  await tx.table('meta').bulkDelete(['etag:plants', 'etag:with-readings', 'rows-generation']);
  const latest: LatestRow[] = [];
  const split = (
    { plantId, series, latest: values, rev }: ReadingsRow & ReadingsRow2,
    ref: { value: ReadingsRow },
  ) => {
    latest.push({ plantId, values, newestKept: series.timestamp[0] ?? null, rev });
    ref.value = { plantId, series };
  };
  await tx.table('readings').toCollection().modify(split);
  await tx.table('latest').bulkAdd(latest);
}

interface ReadingsRow2 {
  latest: LatestFields;
  rev: number;
}

/**
 * Version 4 renames an op's `kind` to `type`, its state `parked` to `rejected`, and the status row's `reach` to
 * `connectivity`. Ops in the removed state `doubtful` are sent again, because every server now recognises a repeated
 * idempotency key; the `meta` rows for that state are deleted.
 */
export async function renameOpFields(tx: Transaction): Promise<void> {
  await tx
    .table<Op2>('outbox')
    .toCollection()
    .modify((op: Op2, ref: { value: unknown }) => {
      ref.value = upgradedOp(op);
    });
  const status = await tx.table('syncState').get('status');
  if (status) {
    const { reach, ...others } = status;
    await tx.table('syncState').put({ ...others, connectivity: reach });
  }
  await tx.table('meta').delete('key-support');
  await tx.table('meta').where('id').startsWith('twin:').delete();
}

interface Op2 extends Omit<Op, 'v' | 'type' | 'state'> {
  v: 2;
  kind: OpType;
  state: 'queued' | 'inflight' | 'uncertain' | 'parked' | 'doubtful';
}

function upgradedOp({ kind, ...op }: Op2): Op {
  switch (op.state) {
    case 'parked':
      return { ...op, v: 3, type: kind, state: 'rejected' };
    case 'doubtful':
      return { ...op, v: 3, type: kind, state: op.request ? 'uncertain' : 'queued', nextAt: 0 };
    default:
      return { ...op, v: 3, type: kind, state: op.state };
  }
}
