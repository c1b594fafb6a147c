import pg from 'pg';
import { plural } from '#domain/text.ts';
import { keepServersWaiting, migrate } from '../database/migrate.ts';
import { describeDatabaseError } from '../start/database-error.ts';
import { requireCluster, requireNobodyElse, requireSchema } from './cluster.ts';
import {
  distributeMissing,
  findMissing,
  isComplete,
  type Missing,
  removeOldCopies,
} from './tables.ts';

/** The parsed arguments of `npm run distribute`. */
export interface DistributeOptions {
  /** postgres://…; may contain a password, so never print it. */
  databaseUrl: string;
  /** Only reports what would be distributed, without changing the database. */
  isCheck: boolean;
}

type Print = (line: string) => void;

/** Distributes the database's accounts over the workers of its cluster: all or nothing. */
export async function distribute(
  { databaseUrl, isCheck }: DistributeOptions,
  print: Print,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    // Detects a lost machine even while a large table is distributed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // The query in progress reports it too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (isCheck) await check(client, print);
    else await run(client, print);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function run(client: pg.Client, print: Print): Promise<void> {
  const workers = await requireCluster(client);
  print(`The cluster has ${plural(workers.length, 'worker')}: ${workers.join(', ')}`);
  const state = await requireSchema(client);
  await requireNobodyElse(client);
  await keepServersWaiting(client);
  if (state === 'empty') {
    await migrate(client);
    print('The database was empty; it has its tables now.');
  }
  const missing = await findMissing(client);
  if (isComplete(missing)) {
    await removeOldCopies(client);
    print('Everything is distributed already.');
    return;
  }
  await distributeMissing(client, missing);
  print(`Distributed: ${namesOf(missing)}`);
  await removeOldCopies(client);
  print('Everything of an account is on one machine now. Start the servers.');
}

async function check(client: pg.Client, print: Print): Promise<void> {
  const workers = await requireCluster(client);
  print(`The cluster is ready; ${plural(workers.length, 'worker')}: ${workers.join(', ')}`);
  if ((await requireSchema(client)) === 'empty') {
    print('The database is empty: its tables would be made and distributed.');
    return;
  }
  const missing = await findMissing(client);
  if (isComplete(missing)) {
    print('Everything is distributed.');
    return;
  }
  await requireNobodyElse(client);
  print(`Would be distributed: ${namesOf(missing)}`);
}

function namesOf({ users, tables, functions, local }: Missing): string {
  const onCoordinator = local.map((name) => `${name} (coordinator)`);
  return [...(users ? ['users'] : []), ...tables, ...functions, ...onCoordinator].join(', ');
}

/**
 * Describes an error of the database. The message must not claim that nothing was changed: the tables may have been
 * created, or everything may have been distributed.
 */
function databaseError(error: unknown): unknown {
  return describeDatabaseError(error, {
    database: 'The database',
    source: 'DATABASE_URL',
    otherHint: 'this failed; solve it and run the command again',
  });
}
