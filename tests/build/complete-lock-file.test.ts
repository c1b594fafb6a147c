import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/build/build-if-needed.mjs';

test('if npm install fails, the lock file stays as it was', () => {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-lock-'));
  onTestFinished(() => fs.rmSync(project, { recursive: true }));
  for (const folder of ['.ci', 'programs']) fs.mkdirSync(path.join(project, folder));
  for (const name of ['complete-lock-file.mjs', 'lock-file.mjs']) {
    fs.copyFileSync(path.join(projectRoot, '.ci', name), path.join(project, '.ci', name));
  }
  const npm = path.join(project, 'programs/npm');
  fs.writeFileSync(npm, '#!/bin/sh\nexit 1', { mode: 0o755 });
  const lockFile = path.join(project, 'package-lock.json');
  const added = { version: '2.0.0', optional: true, os: ['linux'] };
  const text = JSON.stringify({ packages: { 'node_modules/tool-linux-x64': added } });
  fs.writeFileSync(lockFile, text);
  const run = () =>
    execFileSync(process.execPath, ['.ci/complete-lock-file.mjs'], {
      cwd: project,
      stdio: 'ignore',
      env: { PATH: path.dirname(npm) },
    });
  expect(run).toThrow();
  expect(fs.readFileSync(lockFile, 'utf8')).toBe(text);
});
