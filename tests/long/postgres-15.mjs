// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

const major = 15;
const debianPrograms = `/usr/lib/postgresql/${major}/bin`;

/**
 * Uses the server of TEST_DATABASE_URL. Without it, starts a temporary cluster, never using a server that already runs.
 * Installs PostgreSQL with apt-get if it is missing and this runs as root.
 * @param {string | undefined} given
 * @returns {Promise<{ url: string, version: string, close: () => Promise<void> }>}
 */
export async function openPostgres15(given) {
  if (given) return { url: given, version: await versionOf(given), close: async () => undefined };
  const cluster = startCluster(findPrograms());
  try {
    return { ...cluster, version: await versionOf(cluster.url) };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** @param {string} url */
async function versionOf(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('SHOW server_version');
    return `version ${rows[0].server_version}`;
  } finally {
    await client.end();
  }
}

function findPrograms() {
  const found = [debianPrograms, ...(process.env.PATH ?? '').split(path.delimiter)].find(
    isRightVersion,
  );
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    const quiet = { stdio: /** @type {const} */ ('ignore') };
    spawnSync('apt-get', ['update'], quiet);
    spawnSync(
      'apt-get',
      ['install', '-y', '--no-install-recommends', `postgresql-${major}`],
      quiet,
    );
    if (isRightVersion(debianPrograms)) return debianPrograms;
  }
  throw new Error(
    `not run: PostgreSQL ${major} was not found; install it or set TEST_DATABASE_URL to a server whose user may create databases`,
  );
}

/** @param {string} folder */
function isRightVersion(folder) {
  if (!fs.existsSync(path.join(folder, 'initdb'))) return false;
  const { stdout } = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return new RegExp(` ${major}[. ]`).test(stdout ?? '');
}

/** @param {string} programs */
function startCluster(programs) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-pg-'));
  const data = path.join(folder, 'data');
  const user = unprivilegedUser();
  if (user.uid !== undefined) fs.chownSync(folder, user.uid, user.gid ?? user.uid);
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  /** @param {string} program @param {readonly string[]} args */
  const run = (program, args) =>
    execFileSync(path.join(programs, program), args, { ...user, cwd: folder, env, stdio: 'pipe' });
  const close = async () => {
    if (fs.existsSync(path.join(data, 'postmaster.pid'))) {
      run('pg_ctl', ['stop', '--pgdata', data, '--mode', 'fast', '--wait']);
    }
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    run('initdb', [
      '--pgdata',
      data,
      '--username',
      'sprig',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--no-locale',
    ]);
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c unix_socket_permissions=0777`;
    run('pg_ctl', [
      'start',
      '--pgdata',
      data,
      '--wait',
      '--log',
      path.join(folder, 'log'),
      '--options',
      options,
    ]);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { url: `postgres://sprig@localhost/postgres?host=${encodeURIComponent(folder)}`, close };
}

/**
 * The user to run PostgreSQL as, because it refuses to run as root.
 * @returns {{ uid?: number, gid?: number }}
 */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'));
  if (!nobody) throw new Error('not run: PostgreSQL needs the user nobody, which does not exist');
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}
