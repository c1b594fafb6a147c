// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Another Node, from npm's package of that name, in a folder that goes when it is removed.
 * @param {number} major
 */
export function nodeOf(major) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `sprig-node-${major}-`));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
    const args = ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    // Tests start servers as ordinary users too.
    fs.chmodSync(folder, 0o755);
    const program = path.join(folder, 'node_modules', 'node', 'bin', 'node');
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
    return { program, version, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
