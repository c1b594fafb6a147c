import { applyEntryOps } from '#client/store/journal/shown-entries.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { applyPhotoOps } from '#client/store/photos/photos.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { EffectLog } from './effect-log.ts';

/**
 * Checks after every write that a history still shows each entry and photo that it showed before, if the server has it
 * and no pending change removes it. It must not disappear between the response to its op and the next pull.
 */
export class ShownChecks {
  /** The ids that each device has shown at its last check. */
  private readonly shown = new Map<string, ReadonlySet<string>>();
  private readonly effects: EffectLog;

  constructor(effects: EffectLog) {
    this.effects = effects;
  }

  async check(device: string, db: DeviceDb): Promise<void> {
    const { plantIds, shown, removed } = await readHistories(db);
    const missing = [...(this.shown.get(device) ?? [])].filter(
      (id) => !shown.has(id) && !removed.has(id),
    );
    this.shown.set(device, shown);
    for (const plantId of plantIds) {
      const plant = this.effects.plants.get(plantId);
      if (!plant || plant.isDeleted || removed.has(plantId)) continue;
      for (const id of missing) {
        if (!plant.journal.entries.has(id) && !plant.photos.ids.has(id)) continue;
        this.effects.violations.push(`${device} no longer shows ${id} of ${plant.label}`);
      }
    }
  }
}

interface Histories {
  /** The stored plants. */
  plantIds: string[];
  /** The entries and photos that their histories show. */
  shown: ReadonlySet<string>;
  /** What pending changes remove: entries, photos and plants. */
  removed: ReadonlySet<string>;
}

/** Reads all tables in one transaction, which is faster: a check runs after each write. */
function readHistories(db: DeviceDb): Promise<Histories> {
  return db.transaction('r', db.outbox, db.plants, db.journal, db.idmap, async () => {
    const [ops, plantIds, journals, idmap] = await Promise.all([
      db.outbox.toArray(),
      db.plants.toCollection().primaryKeys(),
      db.journal.toArray(),
      db.idmap.toArray(),
    ]);
    const serverIds = new Map(idmap.map(({ localId, serverId }) => [localId, serverId]));
    const plantOf = ({ entity }: Op) => serverIds.get(entity) ?? entity;
    const shown = new Set<string>();
    for (const plantId of new Set([...plantIds, ...ops.map(plantOf)])) {
      const own = ops.filter((op) => plantOf(op) === plantId);
      const row = journals.find((one) => one.plantId === plantId);
      for (const { id } of applyEntryOps(row?.entries ?? [], own)) shown.add(id);
      for (const { id } of applyPhotoOps(row?.photos ?? [], own)) shown.add(id);
    }
    const removed = ops.flatMap((op) => removedBy(op, plantOf(op)) ?? []);
    return { plantIds, shown, removed: new Set(removed) };
  });
}

function removedBy({ type, entry, photo }: Op, plantId: string): string | undefined {
  if (type === 'remove_entry') return entry?.id;
  if (type === 'remove_photo') return photo?.id;
  return type === 'delete' ? plantId : undefined;
}
