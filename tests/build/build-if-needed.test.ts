import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../../src/build/build-if-needed.mjs';

/** A build that only copies the one source file, and fails afterwards if the file says `interrupted`. */
const fakeVite = `
import fs from 'node:fs';
export async function build() {
  fs.mkdirSync('dist', { recursive: true });
  fs.copyFileSync('src/version', 'dist/version');
  if (fs.readFileSync('src/version', 'utf8') === 'interrupted') throw new Error('interrupted');
}
`;

/** A project with our build script; its source is a file of one word. */
let project: string;
let options: ExecFileSyncOptions;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-build-'));
  const write = (name: string, text: string, mode = 0o644) => {
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.writeFileSync(path.join(project, name), text, { mode });
  };
  for (const name of ['public/file', 'index.html', 'vite.config.ts', 'package-lock.json']) {
    write(name, '');
  }
  for (const name of ['package.json', 'src/build/build.mjs', 'src/build/build-if-needed.mjs']) {
    write(name, fs.readFileSync(path.join(projectRoot, name), 'utf8'));
  }
  write('node_modules/vite/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/vite/index.js', fakeVite);
  // Stands in for npm, which takes seconds: runs the build script directly.
  write('programs/npm', `#!/bin/sh\n${manifest.scripts.build}`, 0o755);
  options = {
    cwd: project,
    stdio: 'ignore',
    env: { PATH: `${path.join(project, 'programs')}:${process.env.PATH}` },
  };
  return () => fs.rmSync(project, { recursive: true });
});

function setSources(word: string): void {
  fs.writeFileSync(path.join(project, 'src/version'), word);
}

/** What `npm start` does before it starts the server. */
function buildIfNeeded(): void {
  const call = "import('./src/build/build-if-needed.mjs').then((m) => m.buildIfNeeded())";
  execFileSync(process.execPath, ['-e', call], options);
}

const built = () => fs.readFileSync(path.join(project, 'dist/version'), 'utf8');

test('if another version was built by hand, the next start builds again', () => {
  setSources('first');
  buildIfNeeded();
  setSources('second');
  execFileSync('npm', ['run', 'build'], options);
  expect(built()).toBe('second');
  setSources('first');
  buildIfNeeded();
  expect(built()).toBe('first');
});

test('after an interrupted build of another version the next start builds again', () => {
  setSources('first');
  buildIfNeeded();
  setSources('interrupted');
  expect(buildIfNeeded).toThrow();
  setSources('first');
  buildIfNeeded();
  expect(built()).toBe('first');
});

test('what was built by hand is not built again, except for another VITE_API_URL', () => {
  setSources('first');
  execFileSync('npm', ['run', 'build'], options);
  fs.writeFileSync(path.join(project, 'dist/version'), 'kept');
  buildIfNeeded();
  expect(built()).toBe('kept');
  options.env = { ...options.env, VITE_API_URL: 'https://api.example.org' };
  buildIfNeeded();
  expect(built()).toBe('first');
});

test('hidden files, such as the lock of an editor, which is a dangling link, are ignored', () => {
  setSources('first');
  buildIfNeeded();
  fs.writeFileSync(path.join(project, 'dist/version'), 'kept');
  fs.symlinkSync('me@laptop.4711:1', path.join(project, 'src/.#version'));
  fs.writeFileSync(path.join(project, 'public/.DS_Store'), '');
  buildIfNeeded();
  expect(built()).toBe('kept');
});
