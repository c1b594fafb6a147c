import { setTimeout as sleep } from 'node:timers/promises';
import { help, readArgs } from './options.ts';
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
    signal: interruption(),
    print: (line) => console.log(line),
  });
}

/**
 * Signals within this time (ms) count as one: after Ctrl+C the program gets the signal from the terminal, and again from
 * npm.
 */
const sameSignalMs = 500;

/** Aborts at Ctrl+C. A later Ctrl+C ends the process at once. */
function interruption(): AbortSignal {
  const end = new AbortController();
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
