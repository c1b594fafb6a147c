import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { makeTestDatabase } from '../../../support/database/database.ts';
import { provided } from '../../../support/provided.ts';

/** A statement of the server and what the coordinator sent to the workers for it. */
export interface Statement {
  text: string;
  /** One per shard, without the statements that control transactions. */
  tasks: string[];
}

export interface ObservedDatabase {
  db: Database;
  /** The statements since the last call, without BEGIN, COMMIT and ROLLBACK. */
  takeStatements: () => Statement[];
}

const transactionControl =
  /^issuing (BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SAVEPOINT|RELEASE|SELECT assign_distributed)/;

type Callback = (error: Error | null, result: unknown) => void;

/**
 * A distributed database with one connection. Several statements may be sent together, but the database executes one
 * after the other, so every task belongs to the oldest statement that has not ended.
 */
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
    const running: Statement[] = [];
    client.on('notice', ({ message = '' }) => {
      if (!message.startsWith('issuing ') || transactionControl.test(message)) return;
      running[0]?.tasks.push(message);
    });
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [given] = args as [string | { text: string }];
        const statement = { text: typeof given === 'string' ? given : given.text, tasks: [] };
        statements.push(statement);
        running.push(statement);
        // A callback runs before the notices of the next statement are read; a promise's handler might run later.
        const withCallback = (callback: Callback, given: unknown[]) =>
          query(...given, (error: Error | null, result: unknown) => {
            running.shift();
            callback(error, result);
          });
        const callback = args.at(-1);
        if (typeof callback === 'function') {
          return withCallback(callback as Callback, args.slice(0, -1));
        }
        return new Promise((resolve, reject) => {
          withCallback((error, result) => (error ? reject(error) : resolve(result)), args);
        });
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
