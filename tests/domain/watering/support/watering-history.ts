import {
  decideWatering,
  type WateringDecision,
  type WateringFacts,
} from '#domain/watering/rule.ts';
import { createRandom } from '#simulator/world/random.ts';

/** All times are whole minutes, so that limits are reached exactly. */
export const dayMin = 24 * 60;
export const minimum = 30;
const minuteMs = 60_000;
const commandLifeMin = 2;
/** Readings within this many minutes after a command show whether it wet the soil. */
const effectMin = 120;

/** The conditions of one plant. Probabilities are per reading, per command or per minute, from 0 to 1. */
export interface Scenario {
  seed: number;
  days: number;
  everyMin: number;
  /** % */
  soilAtFirst: number;
  /** % per hour */
  dries: number;
  /** % that a full run adds */
  rise: number;
  /** % by which a reading may be off, either way */
  noise: number;
  noSoil: number;
  fault: number;
  /** Probability that the sensor sends the same value again a minute later. */
  repeat: number;
  gap: number;
  wrongClock: number;
  byHand: number;
  edit: number;
  silent: number;
  failure: number;
  lateReport: number;
}

export interface Command {
  issuedAt: number;
  expiresAt: number;
  amountMl: number;
  soilBefore: number;
  /** What really happened, whatever the device reports. */
  ranAt: number | null;
  ranMl: number;
  report: { at: number; status: 'done' | 'failed'; amountMl: number | null } | null;
}

export interface History {
  readings: { at: number; knownAt: number; soil: number | null }[];
  manualWaterings: { at: number; knownAt: number; amountMl: number | null }[];
  commands: Command[];
  unlocks: number[];
  decisions: { at: number; decision: WateringDecision; soil: number }[];
}

/** Simulates a scenario minute by minute. Each decision uses only what a server would know at that time. */
export function live(scenario: Scenario): History {
  const random = createRandom(scenario.seed);
  const happens = (chance: number) => random() < chance;
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(...values: [T, ...T[]]): T => values[below(values.length)] ?? values[0];
  const history: History = {
    readings: [],
    manualWaterings: [],
    commands: [],
    unlocks: [],
    decisions: [],
  };
  let soil = scenario.soilAtFirst;
  let isLocked = false;
  let nextReadingAt = 0;
  let isRepeat = false;

  for (let now = 0; now < scenario.days * dayMin; now += 1) {
    soil = Math.max(0, soil - scenario.dries / 60);
    if (happens(scenario.byHand)) waterByHand(now);
    if (happens(scenario.edit)) unlock(now);
    const hasReading = now >= nextReadingAt;
    if (hasReading) read(now);
    if (hasReading || happens(0.03)) decide(now);
    for (const { ranAt, ranMl } of history.commands) if (ranAt === now) wet(ranMl);
  }
  return history;

  function wet(ml: number) {
    soil = Math.min(100, soil + (scenario.rise * ml) / 150);
  }

  function unlock(now: number) {
    history.unlocks.push(now);
    isLocked = false;
  }

  function waterByHand(now: number) {
    const amountMl = oneOf(null, 20, 150, 280, 420, 700);
    const at = now - (happens(0.3) ? below(600) : 0);
    history.manualWaterings.push({ at, knownAt: now, amountMl });
    // The pot takes at most 150 ml.
    wet(Math.min(150, amountMl ?? 150));
    unlock(now);
  }

  function read(now: number) {
    const last = history.readings.at(-1);
    const repeated = isRepeat && last ? last.soil : undefined;
    isRepeat = happens(scenario.repeat);
    const pause = happens(scenario.gap) ? below(600) : 0;
    const rest = pause + Math.max(1, scenario.everyMin + below(3) - 1);
    nextReadingAt = now + (isRepeat ? 1 : rest);
    const clock = happens(scenario.wrongClock) ? oneOf(5, 6, 300, -29, -31, -600) : 0;
    const seen = Math.min(100, Math.max(0, soil + scenario.noise * (2 * random() - 1)));
    const wrong = oneOf(-1, 101, Number.NaN, Number.POSITIVE_INFINITY);
    const measured = happens(scenario.fault) ? wrong : seen;
    const fresh = happens(scenario.noSoil) ? null : measured;
    history.readings.push({
      at: now + clock,
      knownAt: now,
      soil: repeated === undefined ? fresh : repeated,
    });
  }

  function decide(now: number) {
    const decision = decideWatering(factsAt(history, now, isLocked), now * minuteMs);
    history.decisions.push({ at: now, decision, soil });
    if (decision.type === 'water') history.commands.push(commandTo(decision, now));
    else if (decision.reason === 'locked') isLocked = true;
  }

  function commandTo(
    { amountMl, soilBefore }: { amountMl: number; soilBefore: number },
    now: number,
  ): Command {
    const expiresAt = now + commandLifeMin;
    // It may run at any minute from its issue to its expiry.
    const moment = now + below(commandLifeMin + 1);
    const given = { issuedAt: now, expiresAt, amountMl, soilBefore };
    const reportAt = moment + (happens(scenario.lateReport) ? below(2 * dayMin) : below(3));
    const whole = { ...given, ranAt: moment, ranMl: amountMl };
    const dry = { ...given, ranAt: null, ranMl: 0 };
    if (happens(scenario.silent))
      return { ...oneOf<Omit<Command, 'report'>>(whole, dry), report: null };
    if (!happens(scenario.failure)) {
      return { ...whole, report: { at: reportAt, status: 'done', amountMl } };
    }
    const ranMl = oneOf(0, 1, amountMl / 2, amountMl);
    const reportedMl = oneOf(null, ranMl);
    const failed = ranMl === 0 ? dry : { ...given, ranAt: moment, ranMl };
    return { ...failed, report: { at: reportAt, status: 'failed', amountMl: reportedMl } };
  }
}

/**
 * The highest value that at least a quarter of the plausible readings in the two hours after a command reach. Uses only
 * readings known at `now`; null if there is none.
 */
export function soilQuartileAfter(
  { readings }: History,
  { issuedAt }: Command,
  now: number,
): number | null {
  const after = readings
    .filter(({ at, knownAt }) => knownAt <= now && at > issuedAt && at <= issuedAt + effectMin)
    .flatMap(({ soil }) => (soil !== null && soil >= 0 && soil <= 100 ? soil : []));
  return after.toSorted((a, b) => b - a)[Math.ceil(after.length / 4) - 1] ?? null;
}

/** Newest first; of two readings with the same time, the one that arrived later. */
export function readingsKnownAt({ readings }: History, now: number): History['readings'] {
  const known = readings.filter(({ knownAt }) => knownAt <= now);
  const byMoment = new Map(known.map((reading) => [reading.at, reading]));
  return [...byMoment.values()].sort((a, b) => b.at - a.at);
}

function factsAt(history: History, now: number, isLocked: boolean): WateringFacts {
  const { manualWaterings, commands, unlocks } = history;
  const since = now - dayMin - commandLifeMin;
  const unlockedAt = unlocks.at(-1) ?? null;
  const lastThree = commands.filter(({ issuedAt }) => issuedAt > (unlockedAt ?? -1)).slice(-3);
  return {
    plant: {
      auto_watering_enabled: true,
      device_id: 'bed-1',
      soil_humidity_threshold_min: minimum,
    },
    isLocked,
    deviceSince: null,
    readings: readingsKnownAt(history, now)
      .slice(0, 40)
      .map(({ at, soil }) => ({ at: at * minuteMs, soil })),
    manualWaterings: manualWaterings
      .filter(({ at }) => at > since)
      .map(({ at, amountMl }) => ({ at: at * minuteMs, amountMl })),
    commands: commands
      .filter((command) => command.issuedAt > since || lastThree.includes(command))
      .map((command) => {
        const report = command.report && command.report.at <= now ? command.report : null;
        return {
          issuedAt: command.issuedAt * minuteMs,
          expiresAt: command.expiresAt * minuteMs,
          amountMl: command.amountMl,
          status: report?.status ?? 'issued',
          reportedMl: report?.amountMl ?? null,
          soilBefore: command.soilBefore,
          soilQuartileAfter: soilQuartileAfter(history, command, now),
        };
      }),
    unlockedAt: unlockedAt === null ? null : unlockedAt * minuteMs,
  };
}
