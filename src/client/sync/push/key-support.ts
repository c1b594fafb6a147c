import { type Answer, addressOf, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { plantsRequest } from '#contract/plants.ts';
import { callOf, type SyncContext } from '../context.ts';
import { sameFields } from './merge.ts';

/**
 * Whether the server recognises a repeated key. Assumed, until it has shown otherwise: ignored, when it did twice what
 * was sent twice; refused, when browsers may not even send the key there.
 */
export type KeySupport = 'assumed' | 'ignored' | 'refused';

const metaId = 'key-support';

export async function readKeySupport(db: DeviceDb): Promise<KeySupport> {
  const value = (await db.meta.get(metaId))?.value;
  return value === 'ignored' || value === 'refused' ? value : 'assumed';
}

/** Of an op with unknown outcome: whether repeating it could do it twice. */
export function isRiskyToRepeat({ kind }: Op, keys: KeySupport): boolean {
  return keys !== 'assumed' && (kind === 'create' || kind === 'water');
}

/** Learns from the answer to a change; `wasThere`: it had arrived before. Only what is new is written. */
export async function learnKeySupport(
  { db }: Pick<SyncContext, 'db'>,
  answer: Answer | null,
  wasThere: boolean,
): Promise<void> {
  if (!answer?.ok || !answer.isJson) return;
  if (!answer.replayed && !wasThere) return;
  const known = await readKeySupport(db);
  const isNews = answer.replayed === (known !== 'assumed');
  if (!isNews) return;
  await db.transaction('rw', db.meta, async () => {
    if (answer.replayed) await db.meta.delete(metaId);
    else await db.meta.put({ id: metaId, value: 'ignored' });
  });
}

/** Of an op that was sent: whether what has been pulled since shows its effect. */
export async function isSeenThere(db: DeviceDb, op: Op, plantId: string): Promise<boolean> {
  const record = (await db.plants.get(plantId))?.record;
  switch (op.kind) {
    case 'create':
      return (await db.meta.get(twinId(op))) !== undefined;
    case 'update':
      return record !== undefined && sameFields(record, JSON.parse(op.request?.body ?? '{}'));
    case 'water': {
      const moment = new URLSearchParams(op.request?.path.split('?')[1]).get('watered_at');
      return moment !== null && Date.parse(record?.last_watered ?? '') === Date.parse(moment);
    }
    case 'delete':
      return false;
  }
}

/** A pulled plant that looks like the one this op is making. */
function twinId({ opId }: Op): string {
  return `twin:${opId}`;
}

export async function rememberTwin(db: DeviceDb, op: Op, serverId: string): Promise<void> {
  await db.meta.put({ id: twinId(op), value: serverId });
}

export async function forgetTwin(db: DeviceDb, op: Op): Promise<void> {
  await db.meta.delete(twinId(op));
}

/**
 * After a request with a key got no answer: whether the browser refuses to send keys to an API on another host. Only
 * reading calls are made to find out.
 */
export async function isKeyRefused(context: SyncContext): Promise<boolean> {
  const isElsewhere = addressOf('') !== '';
  if (!isElsewhere || context.signal.aborted) return false;
  if ((await readKeySupport(context.db)) === 'refused') return false;
  const ask = (idempotencyKey?: string) =>
    send(plantsRequest(), callOf(context), idempotencyKey ? { idempotencyKey } : {}).catch(
      () => null,
    );
  const [plain, keyed, again] = [await ask(), await ask('probe'), await ask()];
  if (!plain || keyed || !again) return false;
  await context.db.transaction('rw', context.db.meta, () =>
    context.db.meta.put({ id: metaId, value: 'refused' }),
  );
  return true;
}
