import type { PlantDelta } from '#contract/plant-delta.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import type { App } from '#server/http/app-deps.ts';
import { type Account, bearer } from '../../../support/server/server.ts';

const withReadings = '/api/plants/with-latest-readings';

/** A device that stores a list and applies deltas to it; the latest values come from the newest reading. */
export class DeltaClient {
  etag = '';
  readonly plants = new Map<string, PlantWithReadings>();
  readonly url: string;
  readonly #account: Account;

  constructor(account: Account, url = withReadings) {
    this.#account = account;
    this.url = url;
  }

  /** One pull. Resolves to the status, and to the delta after a 226. */
  async pull(app: App): Promise<{ status: number; delta: PlantDelta | null }> {
    const response = await app.inject({
      url: this.url,
      headers: {
        ...bearer(this.#account),
        'a-im': 'sprig-delta',
        ...(this.etag && { 'if-none-match': this.etag }),
      },
    });
    const base = this.etag;
    this.etag = String(response.headers.etag);
    const status = response.statusCode;
    if (status === 200) {
      this.plants.clear();
      this.#store(response.json());
      return { status, delta: null };
    }
    if (status === 304) {
      if (this.etag !== base) throw new Error('a 304 names another ETag');
      return { status, delta: null };
    }
    if (status !== 226 || response.headers.im !== 'sprig-delta') throw new Error(response.body);
    if (response.headers['delta-base'] !== base) throw new Error('a delta of another base');
    const delta = response.json<PlantDelta>();
    this.#store(delta.changed);
    for (const [id, [newest]] of Object.entries(delta.readings ?? {})) {
      if (newest) this.#applyReading(id, newest);
    }
    for (const id of delta.removed) this.plants.delete(id);
    return { status, delta };
  }

  /** In the form of wholeList(), to compare the two. */
  get list(): unknown[] {
    return comparable([...this.plants.values()]);
  }

  #store(plants: readonly PlantWithReadings[]): void {
    for (const plant of plants) this.plants.set(String(plant.id), plant);
  }

  #applyReading(id: string, reading: ReadingLog): void {
    const plant = this.plants.get(id);
    if (!plant) throw new Error('readings of an unknown plant');
    if (Date.parse(reading.timestamp) < Date.parse(plant.last_reading_time ?? '')) return;
    this.plants.set(id, {
      ...plant,
      latest_soil_humidity: reading.soil_humidity,
      latest_air_humidity: reading.air_humidity,
      latest_temperature: reading.temperature,
      latest_luminance: reading.luminance,
      last_reading_time: reading.timestamp,
    });
  }
}

/** The whole list as the server has it now. */
export async function wholeList(
  app: App,
  account: Account,
  url = withReadings,
): Promise<unknown[]> {
  const response = await app.inject({ url, headers: bearer(account) });
  return comparable(response.json());
}

/** Sorted, without auto_watering_note: it may contain the age of a reading, which grows all the time. */
function comparable(plants: readonly PlantWithReadings[]): unknown[] {
  const compared = plants.map(({ auto_watering_note: _, ...plant }) => plant);
  return compared.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}
