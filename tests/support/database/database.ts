import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { provided } from '../provided.ts';
import { addressOf, asAdmin, dropDatabase } from './postgres.ts';

let made = 0;

/** Creates a migrated, empty database, which is dropped when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const { name, drop } = await makeTestDatabase();
  return databaseOver(openPool({ ...provided('postgres'), database: name, max: 8 }), {
    close: drop,
    isDistributed: provided('workers').length > 0,
  });
}

/** A database for other processes. With `migrated: false` it has no schema and is on one machine, even with Citus. */
export async function makeTestDatabase({
  migrated = true,
  template,
}: {
  migrated?: boolean;
  template?: string;
} = {}): Promise<{
  name: string;
  url: string;
  drop: () => Promise<void>;
}> {
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
