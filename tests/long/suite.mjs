// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../src/build/build-if-needed.mjs';

/**
 * Runs the tests of the project `server` whose path contains one of `files` (all if it is empty) and returns a summary:
 * the number of passed tests and the figures they reported. `files` may also contain options of Vitest. Throws an
 * error that lists the failed tests.
 * @param {readonly string[]} files
 * @param {Record<string, string>} env
 * @param {string} [node] the Node.js program that runs them
 * @returns {Promise<string>}
 */
export async function suite(files, env, node = process.execPath) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-long-'));
  const report = path.join(folder, 'report.json');
  try {
    const output = await vitest(node, [...files, '--reporter=json', `--outputFile=${report}`], env);
    if (!fs.existsSync(report)) throw new Error(`the tests did not run\n${output}`);
    return summaryOf(JSON.parse(fs.readFileSync(report, 'utf8')));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {Record<string, string>} env
 */
async function vitest(node, args, env) {
  const child = spawn(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...args],
    {
      cwd: projectRoot,
      // Programs that the tests start run on the same Node.js.
      env: {
        ...process.env,
        ...env,
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  }
  await once(child, 'close');
  return output;
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[], meta?: { figures?: string } }} Result
 * @param {{ success: boolean, numPassedTests: number, numPendingTests: number,
 *   testResults: { name: string, message: string, assertionResults: Result[] }[] }} report
 */
function summaryOf({ success, numPassedTests, numPendingTests, testResults }) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (!success || numPassedTests === 0) {
    const failed = results.filter(({ status }) => status === 'failed');
    const tests = failed.map((test) => `${test.fullName}\n${test.failureMessages.join('\n')}`);
    const files = testResults
      .filter(({ message }) => message)
      .map((file) => `${file.name}: ${file.message}`);
    throw new Error(
      `${failed.length} tests failed\n${[...tests, ...files].join('\n').slice(0, 6_000)}`,
    );
  }
  const figures = results.flatMap(({ meta }) => meta?.figures ?? []);
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  return [`${numPassedTests} tests passed${skipped}`, ...figures].join('; ');
}
