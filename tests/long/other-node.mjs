// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Installs another version of Node.js in a temporary folder, from the npm package `node`. `remove` deletes the folder.
 * @param {number} major
 */
export function nodeOf(major) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `sprig-node-${major}-`));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
    const args = ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    // Tests start servers as another user too, who must be able to read this folder.
    fs.chmodSync(folder, 0o755);
    const program = path.join(folder, 'node_modules', 'node', 'bin', 'node');
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
    return { program, version, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
