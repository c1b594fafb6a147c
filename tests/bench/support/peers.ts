import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The folder of the libraries to compare with: a separate package, so that `npm install` does not install them. */
export const peersFolder = path.join(import.meta.dirname, '..', 'peers');

/** Installs the libraries in the exact versions of peers/package.json, unless they are installed already. */
export function installPeers(): void {
  const installed = path.join(peersFolder, 'node_modules', '.package-lock.json');
  const wanted = path.join(peersFolder, 'package.json');
  if (fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= fs.statSync(wanted).mtimeMs) {
    return;
  }
  console.log('Installing the libraries to compare with…');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const quietly = ['--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
  execFileSync(npm, ['install', '--no-package-lock', ...quietly], {
    cwd: peersFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fs.utimesSync(installed, new Date(), new Date());
}
