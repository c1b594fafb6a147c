import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { dayMs } from '#domain/time.ts';
import type { Transaction } from '../database/transaction.ts';
import { storePhoto } from '../journal/photos/store-photo.ts';
import { checkedUpload, type Upload } from '../journal/photos/upload.ts';
import { journalEntries } from '../journal/schema.ts';
import type { DemoPlant } from './demo-plant.ts';
import { type DemoEvent, demoStories } from './stories.ts';

interface Planted {
  userId: string;
  plantId: string;
  plant: DemoPlant;
  now: Date;
}

/** Inserts the photos of a demo plant and the entries of its journal, except waterings. */
export async function insertJournal(
  tx: Transaction,
  { userId, plantId, plant, now }: Planted,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const own = { userId, plantId };
  for (const daysAgo of fertilizings(plant)) {
    const entry = { ...own, id: uuidv7(), type: 'fertilized' as const, at: before(daysAgo) };
    await tx.insert(journalEntries).values(entry);
  }
  for (const event of demoStories[plant.fields.nickname] ?? []) {
    const at = before(event.daysAgo);
    const entryId = await insertEntry(tx, { ...own, at }, event);
    if (event.photo === undefined) continue;
    const query = {
      plant_id: plantId,
      taken_at: at.toISOString(),
      ...(entryId && { entry_id: entryId }),
    };
    const photo = { id: uuidv7(), query, upload: photoNamed(event.photo) };
    await storePhoto(tx, { userId, id: plantId }, photo, { now, maxCount: Number.MAX_VALUE });
  }
}

/** Null for a photo without an entry. */
async function insertEntry(
  tx: Transaction,
  own: { userId: string; plantId: string; at: Date },
  { type, note, days, reason }: DemoEvent,
): Promise<string | null> {
  if (type === 'photo') return null;
  const id = uuidv7();
  const rest = { note: note ?? null, days: days ?? null, reason: reason ?? null };
  await tx.insert(journalEntries).values({ ...own, id, type, ...rest });
  return id;
}

const daysBetweenFertilizings: Readonly<Record<string, number>> = {
  Monthly: 30,
  Bimonthly: 60,
  Quarterly: 90,
  Biannually: 180,
};

/** When the plant was fertilized within the last year and since it was added, in days before now. */
function fertilizings({ fertilizedDaysAgo, daysOld, fields }: DemoPlant): number[] {
  const every = daysBetweenFertilizings[fields.fertilizer_schedule];
  if (fertilizedDaysAgo === null) return [];
  if (every === undefined) return [fertilizedDaysAgo];
  const days: number[] = [];
  for (let ago = fertilizedDaysAgo; ago < Math.min(daysOld, 365); ago += every) days.push(ago);
  return days;
}

/** The folder `photos` is next to this file in the sources and next to the bundle in a build. */
function photoNamed(name: string): Upload {
  const read = (size: string) =>
    readFileSync(new URL(`./photos/${name}.${size}.jpg`, import.meta.url));
  return checkedUpload(read('full'), read('small'));
}
