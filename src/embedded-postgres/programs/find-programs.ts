import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import type { Machine } from './machine.ts';

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
