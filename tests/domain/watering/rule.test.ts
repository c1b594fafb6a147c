import { expect, test } from 'vitest';
import {
  decideWatering,
  needsOlderReadings,
  type PastCommand,
  type SoilReading,
  type WaitReason,
  type WateringDecision,
  type WateringFacts,
  wateringLimits,
} from '#domain/watering/rule.ts';
import {
  commandOf,
  dayMs,
  dryFacts,
  failedWith,
  handAt,
  hourMs,
  minuteMs,
  now,
  ran,
  readingAt,
  readyPlant,
  soils,
  unreported,
} from './support/watering-facts.ts';

type Changes = Partial<WateringFacts>;
const decide = (changes: Changes = {}) => decideWatering(dryFacts(changes), now);
const water = (amountMl = 150, soilBefore = 20) => ({ type: 'water', amountMl, soilBefore });
const wait = (reason: WaitReason): WateringDecision => ({ type: 'wait', reason });

test('a dry plant with three fresh readings that was never watered gets one run', () => {
  expect(decide()).toEqual(water());
});

test.each<[string, Partial<typeof readyPlant>, WaitReason]>([
  ['automatic watering off', { auto_watering_enabled: false }, 'off'],
  ['no device', { device_id: null }, 'no_device'],
  ['no minimum', { soil_humidity_threshold_min: null }, 'no_minimum'],
])('a plant with %s is never watered', (_, changes, reason) => {
  expect(decide({ plant: { ...readyPlant, ...changes } })).toEqual(wait(reason));
});

test('a minimum of 0 is valid, and a soil humidity of 0 is not below it', () => {
  const plant = { ...readyPlant, soil_humidity_threshold_min: 0 };
  expect(decide({ plant, readings: soils(0, 0, 0) })).toEqual(wait('moist'));
});

test.each<[ageMs: number, WaitReason | null]>([
  [0, null],
  [30 * minuteMs - 1, null],
  [30 * minuteMs, null],
  [30 * minuteMs + 1, 'stale'],
  [7 * hourMs, 'stale'],
  [-5 * minuteMs, null],
  [-5 * minuteMs - 1, 'clock_ahead'],
  [-dayMs, 'clock_ahead'],
  [Number.NaN, 'stale'],
])('with a newest reading %d ms old the reason not to water is %o', (ageMs, reason) => {
  const readings = [ageMs, ageMs + 2 * minuteMs, ageMs + 4 * minuteMs].map((age) => readingAt(age));
  expect(decide({ readings })).toEqual(reason ? wait(reason) : water());
});

test.each<[soilNewestFirst: (number | null)[], ReturnType<typeof decide>['type'] | WaitReason]>([
  [[], 'no_reading'],
  [[20], 'few_readings'],
  [[20, 20], 'few_readings'],
  [[20, 20, 20], 'water'],
  [[null, 20, 20, 20], 'no_soil'],
  [[Number.NaN, 20, 20, 20], 'out_of_range'],
  [[Number.POSITIVE_INFINITY, 20, 20, 20], 'out_of_range'],
  [[-0.1, 20, 20, 20], 'out_of_range'],
  [[100.1, 20, 20, 20], 'out_of_range'],
  [[0, 20, 20], 'water'],
  [[100, 20, 20], 'water'],
  [[20, null, 20], 'few_readings'],
  [[20, 20, null], 'few_readings'],
  [[20, null, 20, 20], 'water'],
  [[20, null, 20, null, 20], 'water'],
  [[20, -1, 20], 'few_readings'],
  [[20, 101, 20], 'few_readings'],
  [[20, Number.NaN, 20], 'few_readings'],
  [[20, Number.NaN, -1, 101, 20, 20], 'water'],
])('soil read as %j, newest first, leads to %o', (values, outcome) => {
  const expected = outcome === 'water' ? water() : wait(outcome as WaitReason);
  expect(decide({ readings: soils(...values) })).toEqual(expected);
});

test.each<[soilNewestFirst: number[], median: number, isDry: boolean]>([
  [[29.9, 29.9, 29.9], 29.9, true],
  [[30, 30, 30], 30, false],
  [[30.1, 30.1, 30.1], 30.1, false],
  [[29, 28, 100], 29, true],
  [[100, 28, 29], 29, true],
  [[28, 100, 29], 29, true],
  [[0, 31, 32], 31, false],
  [[31, 0, 32], 31, false],
  [[32, 31, 0], 31, false],
  [[9, 10, 100], 10, true],
  [[31, 31, 20, 0, 0], 31, false],
  [[20, 20, 40, 99, 99], 20, true],
])('the median of the newest three of %j, %d, decides', (values, median, isDry) => {
  expect(decide({ readings: soils(...values) })).toEqual(
    isDry ? water(150, median) : wait('moist'),
  );
});

const minGapMs = 2 * minuteMs;

test.each<[SoilReading[], WaitReason | null]>([
  [[readingAt(0), readingAt(hourMs), readingAt(2 * hourMs)], null],
  [[readingAt(0), readingAt(minGapMs), readingAt(2 * hourMs + 1)], 'spread_readings'],
  [[readingAt(minuteMs), readingAt(hourMs), readingAt(2 * hourMs + minuteMs)], null],
  [
    [readingAt(0), readingAt(1, null), readingAt(minGapMs), readingAt(3 * hourMs)],
    'spread_readings',
  ],
  [[readingAt(0), readingAt(minGapMs), readingAt(2 * minGapMs), readingAt(3 * hourMs)], null],
])('three readings decide only within two hours: %j', (readings, reason) => {
  expect(decide({ readings })).toEqual(reason ? wait(reason) : water());
});

/** Dry readings of these ages (ms). */
const dryAt = (...ages: number[]) => ages.map((age) => readingAt(age));

test.each<[string, SoilReading[], WaitReason | null]>([
  ['exactly two minutes', dryAt(0, minGapMs, 2 * minGapMs), null],
  ['a moment less than two minutes', dryAt(0, minGapMs - 1, 2 * minGapMs - 1), 'few_readings'],
  [
    'two minutes from the first, less from the second',
    dryAt(0, minGapMs, 2 * minGapMs - 1),
    'few_readings',
  ],
  ['a second, an hour long', dryAt(...Array.from({ length: 3600 }, (_, i) => i * 1000)), null],
  ['a second, 24 times', dryAt(...Array.from({ length: 24 }, (_, i) => i * 1000)), 'few_readings'],
  ['a second, and two long before', dryAt(0, 1000, 2000, hourMs, 2 * hourMs), null],
  [
    'a second, and two too long before',
    dryAt(0, 1000, 2000, hourMs, 2 * hourMs + 1),
    'spread_readings',
  ],
])('readings decide only if they lie two minutes apart: %s', (_, readings, reason) => {
  expect(decide({ readings })).toEqual(reason ? wait(reason) : water());
});

test('many readings within a minute count as one of the three readings that a watering needs', () => {
  const repeated = (soil: number) =>
    Array.from({ length: 60 }, (_, i) => readingAt(i * 1000, soil));
  const before = (soil: number) => [readingAt(10 * minuteMs, soil), readingAt(20 * minuteMs, soil)];
  expect(decide({ readings: [...repeated(5), ...before(60)] })).toEqual(wait('moist'));
  expect(decide({ readings: [...repeated(60), ...before(5)] })).toEqual(water(150, 5));
});

test.each<[string, SoilReading[], needsOlder: boolean]>([
  ['none', [], false],
  ['three that lie apart', dryAt(0, minGapMs, 2 * minGapMs), false],
  ['many that lie close together', dryAt(0, 1000, 2000, 3000), true],
  ['two that lie apart', dryAt(0, 1000, minGapMs), true],
  [
    'three of which one is implausible',
    [...dryAt(0, minGapMs), readingAt(2 * minGapMs, 101)],
    true,
  ],
  ['a newest one without soil', [readingAt(0, null), ...dryAt(1000)], false],
])('whether a decision needs older readings than the given ones: %s', (_, readings, needsOlder) => {
  expect(needsOlderReadings(readings)).toBe(needsOlder);
});

test.each<[string, Changes, isSoaking: boolean]>([
  ['a watering by hand just now', { manualWaterings: [handAt(0)] }, true],
  ['a watering by hand', { manualWaterings: [handAt(45 * minuteMs - 1, 10)] }, true],
  ['a watering by hand long enough ago', { manualWaterings: [handAt(45 * minuteMs, 10)] }, false],
  ['one of two by hand', { manualWaterings: [handAt(5 * hourMs), handAt(minuteMs)] }, true],
  ['a command', { commands: [commandOf(45 * minuteMs - 1)] }, true],
  ['a command long enough ago', { commands: [commandOf(45 * minuteMs)] }, false],
  ['a command done before its time was up', { commands: [commandOf(-minuteMs)] }, true],
  ['an unreported command', { commands: [commandOf(45 * minuteMs - 1, unreported)] }, true],
  ['a command that failed halfway', { commands: [commandOf(0, failedWith(1))] }, true],
  ['a command that failed who knows when', { commands: [commandOf(0, failedWith(null))] }, true],
  ['a command done with 0 ml', { commands: [commandOf(0, { reportedMl: 0 })] }, true],
  ['a command that failed dry', { commands: [commandOf(-minuteMs, failedWith(0))] }, false],
  [
    'a command, however long ago somebody watered',
    { commands: [commandOf(minuteMs)], manualWaterings: [handAt(5 * hourMs)] },
    true,
  ],
])('water soaks for 45 min: %s', (_, changes, isSoaking) => {
  expect(decide(changes)).toEqual(isSoaking ? wait('soaking') : water());
});

test.each<[string, PastCommand, WaitReason | null]>([
  ['can still run', commandOf(-1, unreported), 'under_way'],
  ['was only just given', commandOf(-2 * minuteMs, unreported), 'under_way'],
  ['can run no longer', commandOf(0, unreported), 'soaking'],
  ['has failed early', commandOf(-1, failedWith(0)), null],
])('whether a new command is given after one that %s', (_, command, reason) => {
  expect(decide({ commands: [commandOf(5 * hourMs), command] })).toEqual(
    reason ? wait(reason) : water(),
  );
});

const longAgo = 2 * hourMs;
const hands = (...amounts: (number | null)[]) => amounts.map((ml) => handAt(longAgo, ml));
const commands = (count: number, changes: Partial<PastCommand> = {}) =>
  Array.from({ length: count }, (_, i) => commandOf(longAgo + i * hourMs, changes));

test.each<[string, Changes, amountMl: number | WaitReason]>([
  ['three small runs', { commands: commands(3, ran(10)) }, 150],
  ['four small runs', { commands: commands(4, ran(10)) }, 'runs_used'],
  ['four full runs', { commands: commands(4) }, 'runs_used'],
  ['four that failed dry', { commands: commands(4, failedWith(0)) }, 150],
  [
    'two unreported and two halfway',
    { commands: [...commands(2, unreported), ...commands(2, failedWith(5))] },
    'runs_used',
  ],
  ['three waterings by hand', { manualWaterings: hands(10, 10, 10) }, 150],
  ['four waterings by hand', { manualWaterings: hands(10, 10, 10, 10) }, 'runs_used'],
  [
    'two by hand and two runs',
    { manualWaterings: hands(10, null), commands: commands(2, ran(10)) },
    'runs_used',
  ],
  [
    'two by hand and one run',
    { manualWaterings: hands(10, 10), commands: commands(1, ran(10)) },
    150,
  ],
])('at most four waterings in a day: after %s', (_, changes, outcome) => {
  expect(decide(changes)).toEqual(typeof outcome === 'number' ? water(outcome) : wait(outcome));
});

test.each<[string, Changes, amountMl: number | WaitReason]>([
  ['450 ml by hand', { manualWaterings: hands(450) }, 150],
  ['451 ml by hand', { manualWaterings: hands(451) }, 149],
  ['500 ml by hand', { manualWaterings: hands(200, 300) }, 100],
  ['599 ml by hand', { manualWaterings: hands(599) }, 1],
  ['599.5 ml by hand', { manualWaterings: hands(599.5) }, 'water_used'],
  ['600 ml by hand', { manualWaterings: hands(600) }, 'water_used'],
  ['2000 ml by hand', { manualWaterings: hands(2000) }, 'water_used'],
  ['an unknown amount by hand', { manualWaterings: hands(null, 400) }, 50],
  ['a done run', { manualWaterings: hands(400), commands: commands(1) }, 50],
  ['an unreported run', { manualWaterings: hands(400), commands: commands(1, unreported) }, 50],
  [
    'a run that failed',
    { manualWaterings: hands(400), commands: commands(1, failedWith(null)) },
    50,
  ],
  [
    'a run that half failed',
    { manualWaterings: hands(400), commands: commands(1, failedWith(70)) },
    50,
  ],
  [
    'a run that failed dry',
    { manualWaterings: hands(400), commands: commands(1, failedWith(0)) },
    150,
  ],
  [
    'a run that says less',
    { manualWaterings: hands(400), commands: commands(1, { reportedMl: 9 }) },
    50,
  ],
  [
    'a run that says more',
    { manualWaterings: hands(400), commands: commands(1, { reportedMl: 180 }) },
    20,
  ],
  ['a run of few ml', { manualWaterings: hands(400), commands: commands(1, ran(60)) }, 140],
  [
    'a run that does not say how much',
    { manualWaterings: hands(400), commands: commands(1, { reportedMl: null }) },
    50,
  ],
])('at most 600 ml in a day: after %s', (_, changes, outcome) => {
  expect(decide(changes)).toEqual(typeof outcome === 'number' ? water(outcome) : wait(outcome));
});

test.each<[string, Changes, isCounted: boolean]>([
  ['by hand, just within', { manualWaterings: [handAt(dayMs - 1, 2000)] }, true],
  ['by hand, a day ago', { manualWaterings: [handAt(dayMs, 2000)] }, false],
  ['by command, just within', { commands: [commandOf(dayMs - 1, ran(600))] }, true],
  ['by command, a day ago', { commands: [commandOf(dayMs, ran(600))] }, false],
])('water counts towards the daily limit for 24 h: %s', (_, changes, isCounted) => {
  expect(decide(changes)).toEqual(isCounted ? wait('water_used') : water());
});

test('a locked plant stays locked, even if its commands worked', () => {
  expect(decide({ isLocked: true })).toEqual(wait('locked'));
  expect(decide({ isLocked: true, commands: commands(3) })).toEqual(wait('locked'));
});

const works = commandOf;
const noReport = (age: number) => commandOf(age, unreported);
const noRise = (age: number) => commandOf(age, { soilQuartileAfter: 21.9 });
const noReading = (age: number) => commandOf(age, { soilQuartileAfter: null });
const failsDry = (age: number) => commandOf(age, { ...failedWith(0), soilQuartileAfter: 20 });
const risesUnreported = (age: number) => commandOf(age, { ...unreported, soilQuartileAfter: 60 });
const risesEnough = (age: number) => commandOf(age, { soilQuartileAfter: 22 });

test.each<[string, newestFirst: ((age: number) => PastCommand)[], isLocked: boolean]>([
  ['none of three was reported', [noReport, noReport, noReport], true],
  [
    'none of three was reported, wet or not',
    [risesUnreported, risesUnreported, risesUnreported],
    true,
  ],
  ['none of three made it wetter', [noRise, noRise, noRise], true],
  ['nothing was read after any of three', [noReading, noReading, noReading], true],
  ['three failed dry', [failsDry, failsDry, failsDry], true],
  ['three failed in three ways', [noReport, noRise, noReading], true],
  ['three failed, earlier ones did not', [noReport, noRise, failsDry, works], true],
  ['two failed and there were no more', [noReport, noRise], false],
  ['the newest of three worked', [works, noReport, noRise], false],
  ['the second of three worked', [noReport, works, noRise], false],
  ['the third of three worked', [noReport, noRise, works], false],
  ['three failed before the newest worked', [works, failsDry, failsDry, failsDry], false],
  ['three made it just wetter', [risesEnough, risesEnough, risesEnough], false],
  ['two failed and one made it just wetter', [noRise, noReport, risesEnough], false],
])('whether past commands lock the plant: %s', (_, makers, isLocked) => {
  // The commands are at least a day old, so that only the lock can forbid watering.
  const given = makers.map((make, i) => make(dayMs + i * hourMs));
  const expected = isLocked ? wait('locked') : water();
  expect(decide({ commands: given })).toEqual(expected);
  expect(decide({ commands: given.toReversed() })).toEqual(expected);
  const [first, ...rest] = given;
  expect(decide({ commands: first ? [...rest, first] : [] })).toEqual(expected);
});

test.each<[string, unlockedAt: number | null, isLocked: boolean]>([
  ['never', null, true],
  ['before all three', now - 4 * dayMs, true],
  ['a moment before the first', now - 3 * dayMs - 2 * minuteMs - 1, true],
  ['with the first', now - 3 * dayMs - 2 * minuteMs, false],
  ['between them', now - 2 * dayMs, false],
  ['after all three', now - dayMs, false],
])('commands from before an unlock do not count: unlocked %s', (_, unlockedAt, isLocked) => {
  const given = [noRise(dayMs), noReport(2 * dayMs), noReading(3 * dayMs)];
  expect(decide({ commands: given, unlockedAt })).toEqual(isLocked ? wait('locked') : water());
});

test('a third failure locks only after its soak time, since the command may still have an effect', () => {
  const two = [noRise(3 * hourMs), noReport(2 * hourMs)];
  const third = (age: number, changes: Partial<PastCommand>) =>
    decide({ commands: [...two, commandOf(age, changes)] });
  expect(third(-minuteMs, unreported)).toEqual(wait('under_way'));
  expect(third(5 * minuteMs, { soilQuartileAfter: 20 })).toEqual(wait('soaking'));
  expect(third(45 * minuteMs, { soilQuartileAfter: 20 })).toEqual(wait('locked'));
});

test.each<[newest: number, waterAge: number, expected: WateringDecision]>([
  [60, 48, wait('moist')],
  [30, 48, wait('moist')],
  [29, 48, { type: 'water', amountMl: 150, soilBefore: 20 }],
  [60, 100, { type: 'water', amountMl: 150, soilBefore: 20 }],
])(
  'with a newest soil of %i %% and water %i min ago, a plant is watered only if the newest reading is dry or none of the three is from before that water',
  (newest, age, expected) => {
    const readings = [
      { at: now, soil: newest },
      { at: now - 50 * minuteMs, soil: 20 },
      { at: now - 100 * minuteMs, soil: 20 },
    ];
    const at = now - age * minuteMs;
    expect(
      decide({ readings, commands: [commandOf(age * minuteMs, { soilQuartileAfter: 60 })] }),
    ).toEqual(expected);
    expect(decide({ readings, manualWaterings: [{ at, amountMl: 150 }] })).toEqual(expected);
  },
);

test.each([Number.NaN, Number.NEGATIVE_INFINITY, -500])(
  'a watering of an impossible %d ml does not lower the water counted towards the daily limit',
  (amountMl) => {
    const manualWaterings = [
      { at: now - 2 * hourMs, amountMl: 600 },
      { at: now - 3 * hourMs, amountMl },
    ];
    expect(decide({ manualWaterings })).toEqual(wait('water_used'));
  },
);

test.each([
  [30, water()],
  [29, wait('few_readings')],
  [0, wait('few_readings')],
  [-1, wait('few_readings')],
])('only readings since the device was changed, %i min ago, count', (age, expected) => {
  const deviceSince = now - age * minuteMs;
  expect(decide({ readings: soils(20, 20, 20), deviceSince })).toEqual(expected);
});

test('a device has two minutes for a command', () => {
  expect(wateringLimits.commandLifeMs).toBe(2 * minuteMs);
});

test('deciding changes neither the facts nor their order', () => {
  const facts = dryFacts({
    readings: soils(29, 10, 20),
    commands: [noRise(2 * dayMs), works(dayMs), noReport(3 * dayMs)],
  });
  const before = structuredClone(facts);
  decideWatering(facts, now);
  expect(facts).toEqual(before);
});
