// @ts-check

/** Preloaded into a process (`--import`): reports its CPU time and memory to the bench. */

/** @type {Record<string, () => object>} */
const answers = {
  usage: () => process.cpuUsage(),
  memory: () => {
    // Twice, because objects that the first pass finalises are collected by the second.
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage();
  },
};

process.on('message', (/** @type {{ request: string }} */ { request }) => {
  const answer = answers[request];
  if (answer) process.send?.(answer());
});
process.on('disconnect', () => process.exit());
