import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/build/build-if-needed.mjs';

const added = { version: '2.0.0', optional: true, os: ['linux'] };
const lockText = JSON.stringify({ packages: { 'node_modules/tool-linux-x64': added } });

/** Completes the lock file of a project whose npm is this shell program. */
function complete(npmProgram: string) {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-lock-project-'));
  onTestFinished(() => fs.rmSync(project, { recursive: true }));
  for (const folder of ['.ci', 'programs', 'tmp']) fs.mkdirSync(path.join(project, folder));
  for (const name of ['.ci/complete-lock-file.mjs', '.ci/lock-file.mjs', '.npmrc']) {
    fs.copyFileSync(path.join(projectRoot, name), path.join(project, name));
  }
  fs.writeFileSync(path.join(project, 'package.json'), '{"name": "pots"}');
  const npm = path.join(project, 'programs/npm');
  fs.writeFileSync(npm, `#!/bin/sh\n${npmProgram}`, { mode: 0o755 });
  const lockFile = path.join(project, 'package-lock.json');
  fs.writeFileSync(lockFile, lockText);
  const { status, signal } = spawnSync(process.execPath, ['.ci/complete-lock-file.mjs'], {
    cwd: project,
    stdio: 'ignore',
    env: { PATH: `${path.dirname(npm)}:${process.env.PATH}`, TMPDIR: path.join(project, 'tmp') },
  });
  return { status, signal, lockText: fs.readFileSync(lockFile, 'utf8'), project };
}

test('npm resolves package.json by the settings of the project, and its result becomes the lock file', () => {
  const {
    status,
    lockText: text,
    project,
  } = complete(
    `grep -q pots package.json && grep -q save-exact .npmrc && ! grep -q tool package-lock.json &&
      echo '{"packages": {"": {"name": "pots"}}}' >package-lock.json`,
  );
  expect(status).toBe(0);
  expect(JSON.parse(text)).toEqual({ packages: { '': { name: 'pots' } } });
  expect(fs.readdirSync(path.join(project, 'tmp'))).toEqual([]);
});

test.each([
  ['fails', 'exit 1'],
  ['is interrupted together with the program', 'kill -INT "$PPID"; exit 1'],
])('if npm install %s, the lock file stays as it was', (_, program) => {
  const { status, lockText: text } = complete(program);
  expect(status).not.toBe(0);
  expect(text).toBe(lockText);
});
