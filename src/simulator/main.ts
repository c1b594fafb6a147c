import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { help, readArgs, type SimulateOptions } from './options.ts';
import { simulate } from './simulate.ts';

const exitCodes = { misused: 2 };

async function main(): Promise<number> {
  const args = readArgs(process.argv.slice(2));
  if (args.type === 'help') {
    console.log(help);
    return 0;
  }
  if (args.type === 'problem') {
    console.error(`${args.message}\nAll options: npm run simulate -- --help`);
    return exitCodes.misused;
  }
  return await simulate(args.options, {
    fetch,
    now: Date.now,
    random: Math.random,
    pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    signal: endOf(args.options),
    print: (line) => console.log(line),
  });
}

/**
 * Signals within this time (ms) count as one: after Ctrl+C the program gets the signal from the terminal, and again from
 * npm.
 */
const sameSignalMs = 500;

/** Aborts at Ctrl+C or when the time is over. A later Ctrl+C ends the process at once. */
function endOf({ forMs }: SimulateOptions): AbortSignal {
  const end = new AbortController();
  // One listener per device; without this, Node.js warns of more than ten.
  setMaxListeners(0, end.signal);
  if (forMs !== null) setTimeout(() => end.abort(), forMs).unref();
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const isRepeated = performance.now() - lastAt <= sameSignalMs;
      if (isRepeated) return;
      lastAt = performance.now();
      if (end.signal.aborted) process.exit(1);
      end.abort();
    });
  }
  return end.signal;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
