import { Pool, type QueryResult } from 'pg';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import type { Call, Reply } from './open-elsewhere.ts';

/** Runs as a separate process: opens the given data folder and executes commands from its parent. */
const [dataDir = ''] = process.argv.slice(2);
const postgres = await openEmbedded({ dataDir });
const pool = new Pool(postgres.connection);
pool.on('error', () => undefined);

process.on('message', (call: Call) => {
  obey(call).then(
    (rows) => send({ id: call.id, rows }),
    (error: Error) => send({ id: call.id, error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
send({ id: 0, rows: [{ adopted: postgres.adopted }] });

async function obey(call: Call): Promise<unknown[]> {
  if (call.name === 'query') return lastRows(await pool.query(call.text));
  if (call.name === 'ensureRunning') await postgres.ensureRunning();
  if (call.name === 'stop') {
    await pool.end();
    await postgres.stop();
  }
  return [{ adopted: postgres.adopted }];
}

/** For a text with several statements the driver returns a list of results. */
function lastRows(result: QueryResult | QueryResult[]): unknown[] {
  return [result].flat().at(-1)?.rows ?? [];
}

function send(reply: Reply): void {
  process.send?.(reply);
}
