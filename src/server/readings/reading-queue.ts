import { groupBy } from '#domain/group-by.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { hasConsequences, judge, type ReportedPlant } from './judge.ts';
import { plantOf } from './log-response.ts';
import {
  type FoundPlants,
  type LoggedPlant,
  type Report,
  readLoggedPlants,
  readLoggedPlantsOfAccounts,
  withReports,
} from './logged-plants.ts';
import { type PlantReports, storeReadings, storeReadingsOfAccounts } from './store-readings.ts';

export interface ReadingQueue {
  /**
   * Stores a reading that only extends the series of its plant, and resolves to the plant. Resolves to null if the
   * reading has other consequences, the plant is being changed, or a group of several accounts failed: it must then be
   * stored in a transaction. Rejects if the reading names no plant or several, or if a group of one account failed.
   */
  store: (userId: string, report: Report) => Promise<LoggedPlant | null>;
}

interface Waiting {
  userId: string;
  report: Report;
  resolve: (plant: LoggedPlant | null) => void;
  reject: (error: unknown) => void;
}

/** Readings of one account that are handled together. `plants`: those whose readings have no other consequences. */
interface AccountGroup {
  userId: string;
  waiting: Waiting[];
  plants: (ReportedPlant & PlantReports)[];
}

/** Maximum number of readings that are stored together. */
const maxGroup = 100;

/** The name of the queue for all accounts. */
const sharedQueue = 'all';

/**
 * Stores readings in groups: those that arrive while others are being stored wait and are then stored together, usually
 * with two statements for up to a hundred readings.
 *
 * On a cluster every account has a queue of its own, because a statement must be about one account. On one machine
 * there is one queue for all accounts. An account whose counter another transaction holds is moved to its own queue
 * until that is empty, so that it delays no other account and takes only one connection. If a group of several accounts
 * fails, each of its readings is stored in a transaction.
 *
 * The groups of a queue are stored one after the other. If two groups had readings of the same account, one would wait
 * for the other in the database, because every change increments the account's counter.
 */
export function createReadingQueue({ db, clock }: Pick<AppDeps, 'db' | 'clock'>): ReadingQueue {
  /**
   * The readings that wait until the current group of their queue is stored, by queue. A queue of one account is named
   * after the account. A queue exists while one of its groups is being stored.
   */
  const queues = new Map<string, Waiting[]>();

  function add(queue: string, reading: Waiting): void {
    const others = queues.get(queue);
    if (others) {
      others.push(reading);
      return;
    }
    queues.set(queue, []);
    void storeAll(queue, reading);
  }

  async function storeAll(queue: string, first: Waiting): Promise<void> {
    let group = [first];
    while (group.length > 0) {
      await storeGroup(queue, group);
      group = queues.get(queue)?.splice(0, maxGroup) ?? [];
    }
    queues.delete(queue);
  }

  async function storeGroup(queue: string, group: readonly Waiting[]): Promise<void> {
    const now = clock();
    try {
      const accounts = await judgeGroup(group, now);
      if (queue === sharedQueue) await storeTogether(accounts, now);
      else for (const account of accounts) await storeAlone(account, now);
    } catch (error) {
      // Readings of several accounts are then stored one by one, so that none fails because of another one.
      const isShared = new Set(group.map(({ userId }) => userId)).size > 1;
      for (const { resolve, reject } of group) isShared ? resolve(null) : reject(error);
    }
  }

  /** The group's readings by account. Rejects a reading if no plant or more than one matches it. */
  async function judgeGroup(group: readonly Waiting[], now: Date): Promise<AccountGroup[]> {
    const accounts = [...groupBy(group, ({ userId }) => userId)].map(([userId, waiting]) => ({
      userId,
      waiting,
      reports: waiting.map(({ report }) => report),
    }));
    const found = await plantsOf(accounts, now);
    return Promise.all(
      accounts.map(async ({ userId, waiting }) => {
        const reported = reportedPlants(waiting, found.get(userId) ?? new Map());
        return { userId, waiting, plants: await withoutConsequences(reported, now) };
      }),
    );
  }

  async function plantsOf(
    accounts: readonly { userId: string; reports: readonly Report[] }[],
    now: Date,
  ): Promise<Map<string, FoundPlants>> {
    if (!db.isDistributed) return readLoggedPlantsOfAccounts(db.pool, accounts, now);
    return new Map(
      await Promise.all(
        accounts.map(
          async ({ userId, reports }) =>
            [userId, await readLoggedPlants(db.pool, userId, reports, now)] as const,
        ),
      ),
    );
  }

  async function withoutConsequences(reported: readonly ReportedPlant[], now: Date) {
    const simple = [];
    for (const { plant, reports } of reported) {
      const judgement = await judge(db.pool, withReports(plant, reports, now), {
        now,
        reportCount: reports.length,
      });
      if (!hasConsequences(plant, judgement)) simple.push({ plant, reports, onlyReadings: true });
    }
    return simple;
  }

  async function storeTogether(accounts: readonly AccountGroup[], now: Date): Promise<void> {
    const toStore = accounts.filter(({ plants }) => plants.length > 0);
    const stored =
      toStore.length === 0
        ? new Map<string, Set<string>>()
        : await storeReadingsOfAccounts(db.pool, toStore, now);
    for (const account of accounts) {
      const { userId, waiting, plants } = account;
      const ids = stored.get(userId);
      const isHeld = !ids && plants.length > 0;
      if (isHeld) for (const reading of waiting) add(userId, reading);
      else respond(account, ids ?? new Set());
    }
  }

  async function storeAlone(account: AccountGroup, now: Date): Promise<void> {
    const { userId, plants } = account;
    const ids =
      plants.length === 0
        ? new Set<string>()
        : await storeReadings(db.pool, userId, plants, { now, mode: 'guarded' });
    respond(account, ids);
  }

  return {
    store: (userId, report) =>
      new Promise((resolve, reject) => {
        const hasOwnQueue = db.isDistributed || queues.has(userId);
        add(hasOwnQueue ? userId : sharedQueue, { userId, report, resolve, reject });
      }),
  };
}

/** The plants of an account's readings. Rejects a reading if no plant or more than one matches it. */
function reportedPlants(waiting: readonly Waiting[], found: FoundPlants): ReportedPlant[] {
  const reported = new Map<string, ReportedPlant>();
  for (const { report, reject } of waiting) {
    try {
      const plant = plantOf(report, found);
      const known = reported.get(plant.id) ?? { plant, reports: [] };
      known.reports.push(report);
      reported.set(plant.id, known);
    } catch (error) {
      reject(error);
    }
  }
  return [...reported.values()];
}

/** Resolves each reading to its plant if that is among the stored ones, otherwise to null. */
function respond({ waiting, plants }: AccountGroup, storedIds: ReadonlySet<string>): void {
  const stored = new Map<Report, LoggedPlant>();
  for (const { plant, reports } of plants) {
    if (storedIds.has(plant.id)) for (const report of reports) stored.set(report, plant);
  }
  for (const { report, resolve } of waiting) resolve(stored.get(report) ?? null);
}
