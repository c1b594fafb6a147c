import type { AppDeps } from '../http/app-deps.ts';
import { hasConsequences, judge } from './judge.ts';
import { plantOf } from './log-answer.ts';
import { type LoggedPlant, type Report, readLoggedPlants, withReports } from './logged-plants.ts';
import type { ReportedPlant } from './store-and-judge.ts';
import { storeReadings } from './store-readings.ts';

export interface ReadingQueue {
  /**
   * Stores a reading that only extends the series of its plant, and resolves to the plant. Resolves to null if the
   * reading has other consequences or the plant is being changed: it must then be stored in a transaction.
   */
  store: (userId: string, report: Report) => Promise<LoggedPlant | null>;
}

interface Waiting {
  report: Report;
  resolve: (plant: LoggedPlant | null) => void;
  reject: (error: unknown) => void;
}

/** Maximum number of readings that are stored together. */
const maxGroup = 100;

/**
 * Stores readings of an account in groups: those that arrive while others are being stored wait and are then stored
 * together. In the database they would wait for each other anyway, because every change increments the account's
 * counter. A group of up to a hundred readings takes two statements.
 */
export function createReadingQueue({ db, clock }: Pick<AppDeps, 'db' | 'clock'>): ReadingQueue {
  /** The accounts whose readings are being stored, with the readings that have arrived since. */
  const waiting = new Map<string, Waiting[]>();

  async function storeAll(userId: string, first: Waiting): Promise<void> {
    let group = [first];
    while (group.length > 0) {
      await storeGroup(userId, group);
      group = waiting.get(userId)?.splice(0, maxGroup) ?? [];
    }
    waiting.delete(userId);
  }

  async function storeGroup(userId: string, group: readonly Waiting[]): Promise<void> {
    try {
      const stored = await storeTogether(userId, group);
      for (const { report, resolve } of group) resolve(stored.get(report) ?? null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** The plants of the readings that were stored. A reading without a plant is rejected. */
  async function storeTogether(userId: string, group: readonly Waiting[]) {
    const now = clock();
    const found = await readLoggedPlants(
      db.pool,
      userId,
      group.map(({ report }) => report),
      now,
    );
    const reported = new Map<string, ReportedPlant>();
    for (const { report, reject } of group) {
      try {
        const plant = plantOf(report, found);
        const known = reported.get(plant.id) ?? { plant, reports: [] };
        known.reports.push(report);
        reported.set(plant.id, known);
      } catch (error) {
        reject(error);
      }
    }
    const simple = await withoutConsequences([...reported.values()], now);
    const stored = new Map<Report, LoggedPlant>();
    if (simple.length === 0) return stored;
    const ids = await storeReadings(db.pool, userId, simple, { now, mode: 'guarded' });
    for (const { plant, reports } of simple) {
      if (ids.has(plant.id)) for (const report of reports) stored.set(report, plant);
    }
    return stored;
  }

  async function withoutConsequences(reported: readonly ReportedPlant[], now: Date) {
    const simple = [];
    for (const { plant, reports } of reported) {
      const judgement = await judge(db.pool, withReports(plant, reports), now);
      if (!hasConsequences(plant, judgement)) simple.push({ plant, reports, onlyReadings: true });
    }
    return simple;
  }

  return {
    store: (userId, report) =>
      new Promise((resolve, reject) => {
        const entry = { report, resolve, reject };
        const others = waiting.get(userId);
        if (others) {
          others.push(entry);
          return;
        }
        waiting.set(userId, []);
        void storeAll(userId, entry);
      }),
  };
}
