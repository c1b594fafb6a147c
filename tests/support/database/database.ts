import pg from 'pg';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { provided } from '../provided.ts';
import { addressOf, asAdmin, dropDatabase } from './postgres.ts';

let made = 0;

interface TestDatabase {
  name: string;
  url: string;
  drop: () => Promise<void>;
}

/** A database that one test after another uses, with its open connections. */
interface ReusedDatabase {
  db: Database;
  schema: Schema;
  drop: () => Promise<void>;
}

/** Empty databases that tests of this process have closed. */
const emptied: ReusedDatabase[] = [];

/**
 * A migrated, empty database. When it is closed, its rows are deleted and a later test of this process uses it, which
 * takes much less CPU than a clone with new connections. It is dropped instead if the test changed more than rows, or
 * changed the pool.
 */
export async function openTestDatabase(): Promise<Database> {
  const reused = emptied.pop() ?? (await cloneTemplate());
  let isClosed = false;
  return {
    ...reused.db,
    close: async () => {
      if (isClosed) throw new Error('The test database is already closed');
      isClosed = true;
      if (await resetDatabase(reused).catch(() => false)) emptied.push(reused);
      else await closeForGood(reused);
    },
  };
}

/** A database that no other test has used, with new connections. */
export async function openNewDatabase(): Promise<Database> {
  const cloned = await cloneTemplate();
  return { ...cloned.db, close: () => closeForGood(cloned) };
}

async function cloneTemplate(): Promise<ReusedDatabase> {
  const { name, drop } = await makeTestDatabase();
  // Idle connections do not keep the process alive.
  const config = { ...provided('postgres'), database: name, max: 8, allowExitOnIdle: true };
  const db = databaseOver(openPool(config), { isDistributed: provided('workers').length > 0 });
  return { db, schema: await schemaOf(db.pool), drop };
}

async function closeForGood({ db, drop }: ReusedDatabase): Promise<void> {
  await db.close();
  await drop();
}

interface Schema {
  /** The tables that a test may fill, as a list for SQL. */
  tables: string;
  /** Differs after a change of the schema, of settings, or of the statistics for query plans. */
  version: string;
}

/** A changed row of a catalog has a new xmin. Emptying tables changes no row of these. */
const catalogs = [
  'attribute',
  'attrdef',
  'constraint',
  'trigger',
  'proc',
  'statistic',
  'db_role_setting',
];

async function schemaOf(pool: pg.Pool): Promise<Schema> {
  const versions = catalogs.map(
    (name) => `(SELECT (count(*), max(xmin::text::bigint)) FROM pg_${name})`,
  );
  // The server reads its keys only once for each pool, so they stay.
  const { rows } = await pool.query<Schema>(
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables, concat_ws(' ', ${versions}) AS version
    FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'server_keys'`,
  );
  const [schema] = rows;
  if (!schema) throw new Error('The database has no schema');
  return schema;
}

/** Deletes all rows. Resolves to false if the database or its pool still differs from a new one. */
async function resetDatabase({ db: { pool }, schema }: ReusedDatabase): Promise<boolean> {
  const { connect, query } = pg.Pool.prototype;
  const isPoolUnchanged =
    !pool.ended &&
    pool.idleCount === pool.totalCount &&
    pool.connect === connect &&
    pool.query === query &&
    // databaseOver adds one of each.
    pool.listenerCount('connect') + pool.listenerCount('error') === 2;
  if (!isPoolUnchanged) return false;
  // A connection outside of the pool may hold a lock.
  await pool.query(`BEGIN; SET LOCAL lock_timeout = '1s'; TRUNCATE ${schema.tables}; COMMIT`);
  return (await schemaOf(pool)).version === schema.version;
}

/** A database for other processes. With `migrated: false` it has no schema and is on one machine, even with Citus. */
export async function makeTestDatabase({
  migrated = true,
  template,
}: {
  migrated?: boolean;
  template?: string;
} = {}): Promise<TestDatabase> {
  made += 1;
  const source =
    template ?? (migrated ? provided('templateDatabase') : "template0 ENCODING 'UTF8'");
  const name = `${provided('templateDatabase')}_${process.pid}_${made}`;
  const nodes = [provided('postgres'), ...(migrated ? provided('workers') : [])];
  const strategy = provided('cloneStrategy');
  const statement = `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY ${strategy}`;
  await Promise.all(nodes.map((node) => asAdmin(node, statement)));
  return {
    name,
    url: addressOf(provided('postgres'), name),
    drop: () => dropDatabase(nodes, name),
  };
}
