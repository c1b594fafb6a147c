import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** What the app is held against; a package of its own, so that nobody gets it who only wants the app. */
export const peersFolder = path.join(import.meta.dirname, '..', 'peers');

/** Installs the peers as their lock file says, unless they are there. */
export function setup(): void {
  const installed = path.join(peersFolder, 'node_modules', '.package-lock.json');
  const wanted = path.join(peersFolder, 'package-lock.json');
  if (fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= fs.statSync(wanted).mtimeMs) {
    return;
  }
  console.log('Installing what the app is held against…');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: peersFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fs.utimesSync(installed, new Date(), new Date());
}
