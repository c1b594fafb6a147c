import type { DeviceDb } from '#client/store/schema.ts';
import type { ModelAccount } from '../simulation.ts';
import type { EffectLog } from './effect-log.ts';

/** The versions of an account's plants by id; Infinity for a deleted plant, because any row of it is too old. */
export type PlantVersions = ReadonlyMap<string, number>;

interface CheckedDevice {
  readonly name: string;
  readonly account: ModelAccount;
  readonly db: DeviceDb;
}

/**
 * Checks a device's rows after every write. No row may be older than in a list whose ETag the device has stored,
 * because no later delta would contain what the row lacks. No row may become older than it was. A device that has
 * deleted its ETags requests whole lists, so its rows may be of any age.
 */
export class RowChecks {
  /** The plants at the moment of each list response, by account and ETag. */
  private readonly listed = new Map<string, PlantVersions>();
  /** What each device had at its last check. */
  private readonly checked = new Map<string, { generation: number; versions: PlantVersions }>();
  private readonly effects: EffectLog;

  constructor(effects: EffectLog) {
    this.effects = effects;
  }

  /** Called after every response to a list request. `existing`: the plants on the server at that moment. */
  listSent(account: ModelAccount, etag: string, existing: PlantVersions): void {
    const deleted = [...this.effects.plants.values()].filter(({ isDeleted }) => isDeleted);
    const all = deleted.map(({ id }) => [id, Number.POSITIVE_INFINITY] as const);
    this.listed.set(`${account.email} ${etag}`, new Map([...all, ...existing]));
  }

  async check({ name, account, db }: CheckedDevice): Promise<void> {
    const state = await db.syncState.get('lists');
    const before = this.checked.get(name);
    if (state?.id !== 'lists' || state.generation === before?.generation) return;
    const { generation, plantsEtag, withReadingsEtag } = state;
    const etags = [plantsEtag, withReadingsEtag].filter((etag) => etag !== null);
    const rows = await db.plants.toArray();
    const versions = new Map(rows.map(({ id, etag }) => [id, versionIn(etag)]));
    const known = [...versions].filter(([, version]) => Number.isFinite(version));
    this.checked.set(name, { generation, versions: new Map(known) });
    if (etags.length === 0) return;
    for (const etag of etags) {
      const atEtag = this.listed.get(`${account.email} ${etag}`) ?? new Map();
      this.compare(`${name} with the list ${etag}`, atEtag, versions);
    }
    if (before) this.compare(`${name} with its rows`, before.versions, versions);
  }

  private compare(who: string, least: PlantVersions, actual: PlantVersions): void {
    for (const [id, version] of least) {
      const row = actual.get(id);
      const isMissing = row === undefined && !this.effects.plants.get(id)?.isDeleted;
      if (!isMissing && !(row !== undefined && row < version)) continue;
      this.effects.violations.push(
        `${who}: ${id} has version ${row}, expected ${version} or later`,
      );
    }
  }
}

/** Infinity for a row without an ETag, which is never too old: its plant is read before the next edit is sent. */
function versionIn(etag: string | null): number {
  return etag === null ? Number.POSITIVE_INFINITY : Number(/^"v(\d+)"$/.exec(etag)?.[1]);
}
