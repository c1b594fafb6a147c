import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The properties of the computer that matter here; tests replace them. */
export interface Machine {
  platform: string;
  arch: string;
  musl: boolean;
  uid: number | undefined;
  /** Where root stores files that the unprivileged user could not reach elsewhere. */
  systemFolder: string;
  findPackage(name: string): string;
}

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    musl: runsOnMusl(),
    uid: process.getuid?.(),
    systemFolder: '/var/lib/sprig',
    findPackage,
  };
}

function findPackage(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  return dirname(dirname(entry));
}

function runsOnMusl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync('/proc/self/maps', 'utf8').includes('/ld-musl-');
  } catch {
    return false;
  }
}
