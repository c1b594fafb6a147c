import { nextWateringDate } from '#domain/watering/schedule.ts';
import { dayMs, hourMs, minuteMs } from './journal.ts';

/** An entry as a person sees it. Times in ms. */
export interface ModelEntry {
  id: string;
  type: 'watered' | 'fertilized' | 'snoozed';
  source: 'manual' | 'auto';
  at: number;
  amountMl: number | null;
  days: number | null;
}

interface Counted {
  id: string;
  at: number;
  ml: number;
}

export interface ModelCommand {
  id: string;
  issuedAt: number;
  expiresAt: number;
  amountMl: number;
}

/** What a plant's dates and the limits of its pump must be, computed naively from everything that ever happened. */
export class ModelPlant {
  readonly shown = new Map<string, ModelEntry>();
  readonly removed = new Map<string, ModelEntry>();
  readonly commands: ModelCommand[] = [];
  /** Every timestamp that a watering by hand ever had, with its highest amount at that timestamp. */
  readonly #counted: Counted[] = [];
  readonly #plant: { date_added: string; watering_frequency: number };

  constructor(plant: { date_added: string; watering_frequency: number }) {
    this.#plant = plant;
  }

  put(entry: ModelEntry): void {
    this.shown.set(entry.id, entry);
    this.removed.delete(entry.id);
    if (entry.type !== 'watered' || entry.source === 'auto') return;
    const ml = entry.amountMl ?? 150;
    const known = this.#counted.find(({ id, at }) => id === entry.id && at === entry.at);
    if (known) known.ml = Math.max(known.ml, ml);
    else this.#counted.push({ id: entry.id, at: entry.at, ml });
  }

  remove(id: string): void {
    const entry = this.shown.get(id);
    if (!entry) return;
    this.shown.delete(id);
    this.removed.set(id, entry);
  }

  dates() {
    const of = (type: ModelEntry['type']) =>
      [...this.shown.values()]
        .filter((entry) => entry.type === type)
        .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))[0];
    const lastWatered = of('watered')?.at ?? null;
    const snooze = of('snoozed');
    const isSnoozed = snooze && (lastWatered === null || snooze.at > lastWatered);
    const snoozedUntil = isSnoozed ? snooze.at + (snooze.days ?? 0) * dayMs : null;
    const dates = { last_watered: isoOf(lastWatered), snoozed_until: isoOf(snoozedUntil) };
    return {
      ...dates,
      last_fertilized: isoOf(of('fertilized')?.at ?? null),
      next_watering_date: nextWateringDate({ ...this.#plant, ...dates }),
    };
  }

  /** What is wrong with a command that the server issued; empty if nothing is. */
  doubtsAbout({ issuedAt, amountMl }: ModelCommand): string[] {
    const since = issuedAt - dayMs;
    const byHand = this.#counted.filter(({ at }) => at > since);
    const byPump = this.commands.filter(({ expiresAt }) => expiresAt > since);
    const ml = [...byHand.map((one) => one.ml), ...byPump.map((one) => one.amountMl)];
    const isSoaking = byHand.some(({ at }) => issuedAt - at < 45 * minuteMs);
    return [
      ...(ml.length + 1 > 4 ? [`${ml.length + 1} runs in 24 h`] : []),
      ...(ml.reduce((sum, one) => sum + one, amountMl) > 600 ? ['more than 600 ml in 24 h'] : []),
      ...(isSoaking ? ['watered by hand less than 45 min before'] : []),
    ];
  }
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** How far back entries of a history are dated. */
export const backMs = 30 * hourMs;
