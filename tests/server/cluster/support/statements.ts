import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { makeTestDatabase } from '../../../support/database.ts';
import { provided } from '../../../support/provided.ts';

/** A statement of the server and what the coordinator sent to the workers for it. */
export interface Statement {
  text: string;
  /** One per shard, without what begins and ends transactions. */
  tasks: string[];
}

export interface ObservedDatabase {
  db: Database;
  /** The statements since the last call. */
  takeStatements: () => Statement[];
}

const transactionControl =
  /^issuing (BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SAVEPOINT|RELEASE|SELECT assign_distributed)/;

/** A distributed database with one connection, so that every task belongs to the statement before it. */
export async function openObservedDatabase(): Promise<ObservedDatabase> {
  const { name, drop } = await makeTestDatabase();
  const pool = openPool({
    ...provided('postgres'),
    database: name,
    max: 1,
    options: '-c citus.log_remote_commands=on -c client_min_messages=log',
  });
  let statements: Statement[] = [];
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      if (!message.startsWith('issuing ') || transactionControl.test(message)) return;
      statements.at(-1)?.tasks.push(message);
    });
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [given] = args as [string | { text: string }];
        statements.push({ text: typeof given === 'string' ? given : given.text, tasks: [] });
        return query(...args);
      },
    });
  });
  return {
    db: databaseOver(pool, { close: drop, isDistributed: true }),
    takeStatements: () => {
      const taken = statements.filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK)/i.test(text));
      statements = [];
      return taken;
    },
  };
}
