// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

const major = 15;
const debianPrograms = `/usr/lib/postgresql/${major}/bin`;

/**
 * The server of TEST_DATABASE_URL, else a private cluster made of this machine's programs: a server that runs
 * here already is never touched.
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
  const found = [debianPrograms, ...(process.env.PATH ?? '').split(path.delimiter)].find(isWanted);
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    const quiet = { stdio: /** @type {const} */ ('ignore') };
    spawnSync('apt-get', ['update'], quiet);
    spawnSync(
      'apt-get',
      ['install', '-y', '--no-install-recommends', `postgresql-${major}`],
      quiet,
    );
    if (isWanted(debianPrograms)) return debianPrograms;
  }
  throw new Error(
    `left out: this machine has no PostgreSQL ${major}; install it or set TEST_DATABASE_URL to one whose user may make databases`,
  );
}

/** @param {string} folder */
function isWanted(folder) {
  if (!fs.existsSync(path.join(folder, 'initdb'))) return false;
  const { stdout } = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return new RegExp(` ${major}[. ]`).test(stdout ?? '');
}

/** @param {string} programs */
function startCluster(programs) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-pg-'));
  const data = path.join(folder, 'data');
  const as = ordinaryUser();
  if (as.uid !== undefined) fs.chownSync(folder, as.uid, as.gid ?? as.uid);
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  /** @param {string} program @param {readonly string[]} args */
  const run = (program, args) =>
    execFileSync(path.join(programs, program), args, { ...as, cwd: folder, env, stdio: 'pipe' });
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
 * PostgreSQL refuses to run as root.
 * @returns {{ uid?: number, gid?: number }}
 */
function ordinaryUser() {
  if (process.getuid?.() !== 0) return {};
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'));
  if (!nobody) throw new Error('left out: there is no user nobody to run PostgreSQL as');
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}
