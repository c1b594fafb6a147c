// @ts-check

// npm leaves an optional package out of package-lock.json when the registry responds with 404 for it. A registry that
// mirrors only some platforms does that. `npm ci` then fails on every platform, because the lock file is incomplete.
// The missing entries can be written without the registry: their parent pins an exact version, and native packages are
// named after their platform. npm compares os, cpu and libc with the machine and downloads a package only where they
// match. These entries have no integrity, so npm does not verify what it downloads for them. `npm run lock` with a
// complete registry replaces them with entries that have one.

/**
 * The properties of an entry in package-lock.json that are used here.
 * @typedef {{
 *   version?: string, integrity?: string, cpu?: string[], dev?: boolean, libc?: string[],
 *   optional?: boolean, os?: string[], optionalDependencies?: Record<string, string>,
 * }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} LockFile
 * @typedef {{ parent: string, name: string, range: string }} MissingPackage
 */

const exactVersion = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(
  ' ',
);
const processors = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x x64'.split(' ');

/**
 * The optional dependencies of locked packages that have no entry. `npm ci` rejects a lock file that lacks one.
 * @param {LockFile} lock
 * @returns {MissingPackage[]}
 */
export function missingPackages({ packages }) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => {
        const entry = findEntry(packages, parent, name);
        return !entry || (exactVersion.test(range) && entry.version !== range);
      })
      .map(([name, range]) => ({ parent, name, range })),
  );
}

/**
 * A copy of the lock file with an entry for every missing package, in npm's own order of entries and properties, so
 * that `npm install` leaves the file as it is. Throws on a package whose version or platform is not known.
 * @param {LockFile} lock
 * @returns {LockFile}
 */
export function withMissingPackages(lock) {
  const missing = missingPackages(lock);
  const packages = { ...lock.packages };
  for (const { parent, name, range } of missing) {
    if (!exactVersion.test(range)) throw new Error(`${name} is not pinned: ${range}`);
    const requiredBy = missing.filter((other) => other.name === name && other.range === range);
    const isDev = requiredBy.every((other) => lock.packages[other.parent]?.dev);
    const { cpu, libc, os } = platformOf(name);
    packages[newLocation(packages, parent, name, range)] = {
      version: range,
      cpu,
      ...(isDev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      os,
    };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/**
 * A copy of the lock file without the entries that an earlier run added. npm looks up only packages without an entry.
 * @param {LockFile} lock
 * @returns {LockFile}
 */
export function withoutAddedPackages(lock) {
  const packages = Object.entries(lock.packages).filter(
    ([, { integrity, optional, os }]) => integrity || !(optional && os),
  );
  return { ...lock, packages: Object.fromEntries(packages) };
}

/**
 * Native packages are named after their platform: `…-linux-arm64-musl`, `…-win32-x64-msvc`, `…-linux-arm-gnueabihf`.
 * @param {string} name
 */
export function platformOf(name) {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} does not name its platform`);
  return { os, cpu, libc: os[0] === 'linux' ? libcOf(words) : undefined };
}

/** @param {string[]} words */
function libcOf(words) {
  if (words.some((word) => word.startsWith('musl'))) return ['musl'];
  if (words.some((word) => word.startsWith('gnu'))) return ['glibc'];
  return undefined;
}

/**
 * The entry that Node would find for `name` from within the package at `parent`.
 * @param {LockFile['packages']} packages
 * @param {string} parent
 * @param {string} name
 * @returns {LockEntry | undefined}
 */
function findEntry(packages, parent, name) {
  const entry = packages[parent ? `${parent}/node_modules/${name}` : `node_modules/${name}`];
  if (entry || !parent) return entry;
  const outer = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')));
  return findEntry(packages, outer, name);
}

/**
 * At the top level, or inside the parent if another version is at the top level.
 * @param {LockFile['packages']} packages
 * @param {string} parent
 * @param {string} name
 * @param {string} version
 */
function newLocation(packages, parent, name, version) {
  const top = `node_modules/${name}`;
  const entry = packages[top];
  return !entry || entry.version === version || !parent ? top : `${parent}/${top}`;
}
