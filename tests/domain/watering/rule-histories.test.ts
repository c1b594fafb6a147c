import { expect, test } from 'vitest';
import { waitReasons } from '#domain/watering/rule.ts';
import { fc } from '../../support/properties.ts';
import { countOf } from '../../support/seeded.ts';
import {
  type Command,
  dayMin,
  type History,
  live,
  minimum,
  readingsKnownAt,
  type Scenario,
  soilQuartileAfter,
} from './support/watering-history.ts';

const chance = (max: number) =>
  fc.integer({ min: 0, max: 10 }).map((tenths) => (max * tenths) / 10);

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.integer(),
  days: fc.constant(4),
  everyMin: fc.integer({ min: 8, max: 59 }),
  soilAtFirst: fc.integer({ min: 0, max: 40 }),
  dries: fc.integer({ min: 1, max: 30 }),
  rise: fc.integer({ min: 0, max: 20 }),
  noise: chance(5),
  noSoil: chance(0.3),
  repeat: chance(0.6),
  fault: chance(0.1),
  gap: chance(0.05),
  wrongClock: chance(0.05),
  byHand: chance(0.004),
  edit: chance(0.003),
  silent: chance(0.4),
  failure: chance(0.4),
  lateReport: chance(1),
});

const anyHealthyScenario = fc
  .record({
    seed: fc.integer(),
    days: fc.constant(5),
    everyMin: fc.integer({ min: 8, max: 30 }),
    soilAtFirst: fc.integer({ min: 25, max: 60 }),
    dries: fc.constantFrom(0.5, 0.8, 1.1, 1.5),
    rise: fc.integer({ min: 10, max: 20 }),
  })
  .map((plant) => ({ ...withoutFaults, ...plant }));

const withoutFaults = {
  noise: 0,
  noSoil: 0,
  repeat: 0,
  fault: 0,
  gap: 0,
  wrongClock: 0,
  byHand: 0,
  edit: 0,
  silent: 0,
  failure: 0,
  lateReport: 0,
};

test('property: in any history every command respects the safety limits', () => {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(anyScenario, (scenario) => {
      const history = live(scenario);
      for (const command of history.commands) {
        expect(doubtsAbout(history, command)).toEqual([]);
        count('water');
        if (command.amountMl < 150) count('less than a run');
        const { runs, ml } = waterBefore(history, command);
        if (runs === 4) count('four runs');
        if (ml === 600) count('600 ml');
        if (isAfterRepeat(history, command)) count('after a repeated reading');
      }
      for (const { decision } of history.decisions) {
        if (decision.type === 'wait') count(decision.reason);
      }
    }),
    { numRuns: countOf('SPRIG_PROPERTY_RUNS', 160) },
  );
  // Checks that the random histories reach every limit; otherwise the property above would prove nothing.
  const setUp = ['off', 'no_device', 'no_minimum', 'no_reading'];
  const reasons = waitReasons.filter((reason) => !setUp.includes(reason));
  const limits = ['four runs', '600 ml', 'less than a run', 'after a repeated reading'];
  for (const what of [...reasons, ...limits]) {
    expect(seen.get(what) ?? 0, what).toBeGreaterThanOrEqual(20);
  }
  expect(seen.get('water')).toBeGreaterThan(1000);
});

test('with a working sensor and pump, soil never dries far below the minimum, and a plant that starts dry does not become too wet', () => {
  fc.assert(
    fc.property(anyHealthyScenario, (scenario) => {
      const { commands, decisions } = live(scenario);
      const days = scenario.days - 1;
      const lost = scenario.dries * 24 * days;
      expect(commands.length).toBeGreaterThanOrEqual(Math.floor(lost / scenario.rise) - 3);
      for (const { at, soil } of decisions) {
        if (at > 4 * 60) expect(soil).toBeGreaterThan(minimum - 5);
        if (at > 4 * 60 && scenario.soilAtFirst < minimum) {
          expect(soil).toBeLessThan(minimum + 2 * scenario.rise);
        }
      }
    }),
    { numRuns: countOf('SPRIG_PROPERTY_RUNS', 25) },
  );
});

/**
 * The safety limits that a command breaks, judged by the pump runs that really happened and by what was known when it
 * was issued.
 */
function doubtsAbout(history: History, command: Command): string[] {
  const doubts = {
    'more than 4 runs in 24 h': waterBefore(history, command).runs > 4,
    'more than 600 ml in 24 h': waterBefore(history, command).ml > 600,
    'the newest reading cannot be trusted': !hasTrustworthyReading(history, command),
    'the last three readings are not dry': !isReadAsDry(history, command),
    'only readings within two minutes are dry': !hasDryReadingsApart(history, command),
    'water within 45 min': isWithinSoak(history, command),
    'another command is outstanding': hasOutstanding(history, command),
    'three in a row had no effect': hasThreeFailures(history, command),
    'an amount that is no run': !(command.amountMl >= 1 && command.amountMl <= 150),
  };
  return Object.entries(doubts).flatMap(([doubt, holds]) => (holds ? [doubt] : []));
}

const pumpRuns = ({ commands }: History) =>
  commands.flatMap(({ ranAt, ranMl }) => (ranAt === null ? [] : { at: ranAt, ml: ranMl }));

const knownManualWaterings = ({ manualWaterings }: History, { issuedAt }: Command) =>
  manualWaterings
    .filter(({ knownAt }) => knownAt <= issuedAt)
    .map(({ at, amountMl }) => ({ at, ml: amountMl ?? 150 }));

/** The water of the 24 h up to and including the command's run, or up to its issue if it did not run. */
function waterBefore(history: History, command: Command) {
  const end = command.ranAt ?? command.issuedAt;
  const all = [...pumpRuns(history), ...knownManualWaterings(history, command)];
  const amounts = all.filter(({ at }) => at > end - dayMin && at <= end).map(({ ml }) => ml);
  return { runs: amounts.length, ml: amounts.reduce((sum, ml) => sum + ml, 0) };
}

function isPossible(soil: number | null): soil is number {
  return soil !== null && soil >= 0 && soil <= 100;
}

function hasTrustworthyReading(history: History, { issuedAt }: Command): boolean {
  const [newest] = readingsKnownAt(history, issuedAt);
  if (!newest || !isPossible(newest.soil)) return false;
  return newest.at >= issuedAt - 30 && newest.at <= issuedAt + 5;
}

/** The median of three is below the minimum when two of them are. */
function isReadAsDry(history: History, { issuedAt }: Command): boolean {
  const apart: History['readings'] = [];
  for (const reading of readingsKnownAt(history, issuedAt)) {
    const isClose = apart.some(({ at }) => Math.abs(at - reading.at) < 2);
    if (isPossible(reading.soil) && !isClose) apart.push(reading);
  }
  const [first, second, third] = apart;
  if (!first || !second || !third || first.at - third.at > 120) return false;
  return [first, second, third].filter(({ soil }) => Number(soil) < minimum).length >= 2;
}

function hasDryReadingsApart(history: History, { issuedAt }: Command): boolean {
  const dry = readingsKnownAt(history, issuedAt)
    .filter(({ at, soil }) => isPossible(soil) && soil < minimum && at >= issuedAt - 150)
    .map(({ at }) => at);
  return Math.max(...dry) - Math.min(...dry) >= 2;
}

function isAfterRepeat(history: History, { issuedAt }: Command): boolean {
  const [newest, before] = readingsKnownAt(history, issuedAt);
  return newest !== undefined && before !== undefined && newest.at - before.at < 2;
}

function isWithinSoak(history: History, command: Command): boolean {
  const { ranAt } = command;
  if (ranAt === null) return false;
  const others = history.commands.flatMap((other) =>
    other !== command && other.ranAt !== null ? other.ranAt : [],
  );
  const byHand = knownManualWaterings(history, command).map(({ at }) => at);
  return [...others.filter((at) => at <= ranAt), ...byHand].some((at) => ranAt - at < 45);
}

function hasOutstanding({ commands }: History, { issuedAt }: Command): boolean {
  return commands.some(
    (other) =>
      other.issuedAt < issuedAt && other.expiresAt > issuedAt && !isReportedBy(other, issuedAt),
  );
}

function hasThreeFailures(history: History, { issuedAt: now }: Command): boolean {
  const unlockedAt = history.unlocks.findLast((at) => at <= now) ?? -1;
  const last = history.commands
    .filter(({ issuedAt }) => issuedAt > unlockedAt && issuedAt < now)
    .slice(-3);
  return (
    last.length === 3 &&
    last.every((command) => {
      const after = soilQuartileAfter(history, command, now);
      return !isReportedBy(command, now) || after === null || after < command.soilBefore + 2;
    })
  );
}

function isReportedBy({ report }: Command, now: number): boolean {
  return report !== null && report.at <= now;
}
