import { parseArgs } from 'node:util';

/** The options of `npm run simulate`. */
export interface SimulateOptions {
  /** Without a slash at the end. */
  url: string;
  email: string;
  password: string;
  plants: number;
  /** How many times faster than real time soil, weather and daylight change. */
  speed: number;
  /** null: until it is interrupted */
  forMs: number | null;
  /** Number of devices that make load; null: devices report at their normal pace. */
  load: number | null;
  /** Share of reports that are skipped and sent with the next one. */
  dropout: number;
  stuck: number;
  emptyTank: number;
  seed: number;
}

export const help = `Simulates sensor devices that report to a Sprig server, each with a token of its own.

  npm run simulate -- --plants 12 --speed 600 --for 10m

  --url URL         the server (http://127.0.0.1:3000)
  --email EMAIL     the account whose plants take part (demo@sprig.local)
  --password WORD   its password (demo-garden)
  --plants N        how many plants take part, 1 to 100 (12): first those that have a device;
                    missing ones are added. Their devices' earlier tokens are revoked.
  --speed N         how many times faster than real time soil, weather and daylight change (1).
                    Reports come every 60 s / N, at most one a second, with real timestamps.
  --for TIME        how long the devices report, e.g. 30s, 10m or 2h (until Ctrl+C)
  --dropout SHARE   share of reports that come late, 0 to 1 (0.02)
  --stuck N         how many devices have a sensor that shows the same soil forever (0)
  --empty-tank N    how many devices have an empty tank, so that no command runs (0)
  --seed N          seed of the weather and of the dropouts (1)
  --devices N       makes load instead: N devices with a plant each, 1 to 2000. Each sends its next
                    report when it has the response to the last one. Prints figures every 5 s.
                    Of the options from --plants on, only --for and --seed apply. The plants
                    stay: use an account of its own.
  --help            this text`;

export type ReadArgs =
  | { type: 'run'; options: SimulateOptions }
  | { type: 'help' }
  | { type: 'problem'; message: string };

/** Parses the command line; an error is returned as a sentence for the person. */
export function readArgs(args: readonly string[]): ReadArgs {
  try {
    const { values } = parseArgs({ args: [...args], options: known });
    if (values.help) return { type: 'help' };
    return { type: 'run', options: optionsOf(values) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { type: 'problem', message: error.message };
  }
}

const text = { type: 'string' } as const;

const known = {
  url: text,
  email: text,
  password: text,
  plants: text,
  speed: text,
  for: text,
  dropout: text,
  stuck: text,
  'empty-tank': text,
  seed: text,
  devices: text,
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = { [K in Exclude<keyof typeof known, 'help'>]?: string | undefined };

function optionsOf(values: Values): SimulateOptions {
  const number = (name: keyof Values, fallback: number, limits: Limits) =>
    numberOf(name, values[name], limits) ?? fallback;
  const plants = number('plants', 12, { min: 1, max: 100 });
  return {
    url: urlOf(values.url ?? 'http://127.0.0.1:3000'),
    email: values.email ?? 'demo@sprig.local',
    password: values.password ?? 'demo-garden',
    plants,
    speed: number('speed', 1, { min: 1, max: 100_000, fractions: true }),
    forMs: values.for === undefined ? null : durationOf(values.for),
    load: numberOf('devices', values.devices, { min: 1, max: 2_000 }),
    dropout: number('dropout', 0.02, { min: 0, max: 1, fractions: true }),
    stuck: number('stuck', 0, { min: 0, max: plants }),
    emptyTank: number('empty-tank', 0, { min: 0, max: plants }),
    seed: number('seed', 1, { min: 0, max: 1_000_000_000 }),
  };
}

interface Limits {
  min: number;
  max: number;
  fractions?: boolean;
}

function numberOf(
  name: string,
  value: string | undefined,
  { min, max, fractions = false }: Limits,
): number | null {
  if (value === undefined) return null;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max && (fractions || Number.isInteger(number))) return number;
  const kind = fractions ? 'a number' : 'a whole number';
  throw new Error(`--${name} must be ${kind} from ${min} to ${max}, not '${value}'`);
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** 20 days. The delay of a timer must be less than 25 days. */
const longestMs = 480 * 3_600_000;

function durationOf(value: string): number {
  const [, amount = '', unit = ''] = /^(\d+)([smh])$/.exec(value) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? 0);
  if (ms > 0 && ms <= longestMs) return ms;
  throw new Error(`--for must be a time such as 30s, 10m or 2h, up to 480h, not '${value}'`);
}

function urlOf(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) {
    return value.replace(/\/+$/, '');
  }
  throw new Error(`--url must be a URL such as http://127.0.0.1:3000, not '${value}'`);
}
