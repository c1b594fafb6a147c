/** One of the things that `compare` measures in turn. */
export interface Contender {
  /** Operations in one round. */
  count: number;
  run: (count: number, round: number) => Promise<void>;
  /** CPU ms so far of the application and of the database. */
  cpu: () => Promise<{ appMs: number; dbMs: number }>;
}

export interface Figures {
  /** Operations per second, median over the rounds. */
  rate: number;
  /** CPU µs per operation, the minimum of the rounds, because other programs on the machine can only add to it. */
  appUs: number;
  dbUs: number;
  /** µs of wall time per operation, round by round. */
  wallUs: number[];
}

/**
 * Runs all contenders one after another in each round; every second round reverses the order. A shorter warm-up comes
 * first and is not counted.
 */
export async function compare<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
): Promise<Record<Name, Figures>> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, Sample[]>(names.map((name) => [name, []]));
  for (const name of names) await contenders[name].run(Math.ceil(contenders[name].count / 4), 0);
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? names.toReversed() : names;
    for (const name of order) samples.get(name)?.push(await sample(contenders[name], round));
  }
  const entries = names.map((name) => [name, figuresOf(samples.get(name) ?? [])]);
  return Object.fromEntries(entries) as Record<Name, Figures>;
}

interface Sample {
  wallUs: number;
  appUs: number;
  dbUs: number;
}

async function sample({ count, run, cpu }: Contender, round: number): Promise<Sample> {
  const before = await cpu();
  const started = performance.now();
  await run(count, round);
  const wallMs = performance.now() - started;
  const after = await cpu();
  const each = (ms: number) => (ms * 1000) / count;
  return {
    wallUs: each(wallMs),
    appUs: each(after.appMs - before.appMs),
    dbUs: each(after.dbMs - before.dbMs),
  };
}

function figuresOf(samples: Sample[]): Figures {
  return {
    rate: 1e6 / median(samples.map(({ wallUs }) => wallUs)),
    appUs: Math.min(...samples.map(({ appUs }) => appUs)),
    dbUs: Math.min(...samples.map(({ dbUs }) => dbUs)),
    wallUs: samples.map(({ wallUs }) => wallUs),
  };
}

/** CPU and wall time of `one` divided by those of `other`; for wall time the median of the rounds' ratios. */
export function ratio(one: Figures, other: Figures): { cpu: number; wall: number } {
  const walls = one.wallUs.map((us, round) => us / (other.wallUs[round] ?? Number.NaN));
  return { cpu: (one.appUs + one.dbUs) / (other.appUs + other.dbUs), wall: median(walls) };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = sorted.slice(middle - 1 + (sorted.length % 2));
  return sorted.length % 2 === 1 ? low : (low + high) / 2;
}
