import type { Stored, StoredPlant } from './stored.ts';
import type { Write } from './write.ts';

const dayMs = 86_400_000;

/**
 * Lists the recorded writes that the database has lost, applied twice or applied partly; empty if there are none.
 * A write whose key is stored must have exactly one effect, and a write without a stored key must have none.
 */
export function findDamage(book: readonly Write[], stored: Stored): string[] {
  const keys = new Map(stored.keys.map((row) => [row.key, row]));
  const landed = book.filter(({ key }) => keys.has(key));
  return [
    ...book.flatMap((write) => keyDamage(write, keys.get(write.key))),
    ...effectDamage(landed, stored),
    ...stored.plants.flatMap((plant) => plantDamage(plant, landed, stored)),
  ];
}

function keyDamage(write: Write, kept: Stored['keys'][number] | undefined): string[] {
  if (!kept) return write.response ? [`${write.key}: acknowledged and lost`] : [];
  if (kept.status === null || !kept.body) return [`${write.key}: a key without a response`];
  const isSame =
    !write.response || (kept.status === write.response.status && kept.body === write.response.body);
  return isSame ? [] : [`${write.key}: another response is kept than was given`];
}

/** Compares the expected effects with the stored ones, each identified by plant and mark. */
function effectDamage(landed: readonly Write[], stored: Stored): string[] {
  const names = new Map(stored.plants.map(({ id, plant_name }) => [id, plant_name]));
  const nameOf = (id: string) => names.get(id) ?? 'no plant';
  const found = [
    ...stored.plants.map(({ plant_name }) => `create ${plant_name} ${plant_name}`),
    ...stored.waterings.map((row) => `water ${nameOf(row.plant_id)} ${row.amount_ml}`),
    ...stored.logs.map((row) => `log ${nameOf(row.plant_id)} ${row.ts.toISOString()}`),
  ];
  const expected = landed
    .filter(({ kind }) => kind !== 'update')
    .map(({ kind, plant, mark }) => `${kind} ${plant} ${mark}`);
  const counts = new Map<string, number>();
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of expected) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(
      ([name, count]) =>
        `${name}: ${count > 0 ? 'an effect without its key, or a second one' : 'a key without its effect'}`,
    );
}

/** Checks the columns of a plant that a watering or an update changes in the same transaction. */
function plantDamage(plant: StoredPlant, landed: readonly Write[], stored: Stored): string[] {
  const writes = landed.filter((write) => write.plant === plant.plant_name);
  const updates = writes.filter(({ kind }) => kind === 'update');
  const moments = stored.waterings
    .filter(({ plant_id }) => plant_id === plant.id)
    .map(({ watered_at }) => watered_at.getTime());
  const lastWatered = moments.length > 0 ? Math.max(...moments) : null;
  const problems: string[] = [];
  const say = (what: string, actual: unknown, expected: unknown) => {
    if (actual !== expected)
      problems.push(`${plant.plant_name}: ${what} ${actual}, not ${expected}`);
  };
  say('version', plant.version, 1 + updates.length + moments.length);
  say('description', plant.description, updates.at(-1)?.mark ?? null);
  say('last_watered', plant.last_watered?.getTime() ?? null, lastWatered);
  if (lastWatered !== null) {
    const due = lastWatered + plant.watering_frequency * dayMs;
    say('next_watering_date', plant.next_watering_date.getTime(), due);
  }
  return problems;
}
