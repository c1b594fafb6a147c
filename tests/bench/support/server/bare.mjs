// @ts-check
import { verify } from '@node-rs/argon2';
import fastify from 'fastify';
import pg from 'pg';

/** The minimum to compare the server with: a constant Fastify response, a bare insert, a bare password check. */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const insert = {
  name: 'bare-insert',
  text: `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
      soil_humidity = excluded.soil_humidity, air_humidity = excluded.air_humidity,
      temperature = excluded.temperature, luminance = excluded.luminance`,
};

/**
 * @typedef {{ request: 'insert', userId: string, plantIds: string[], reading: number[] }} Insert
 * @typedef {{ request: 'verify', hash: string, password: string }} Verify
 * @typedef {(Insert | Verify) & { count: number, connections: number }} Task
 */

process.on('message', async (/** @type {Task} */ task) => {
  if (task.request !== 'insert' && task.request !== 'verify') return;
  let next = 0;
  const worker = async () => {
    while (next < task.count) await runOne(task, next++);
  };
  await Promise.all(Array.from({ length: task.connections }, worker));
  process.send?.({});
});

/**
 * @param {Task} task
 * @param {number} i
 */
async function runOne(task, i) {
  if (task.request === 'verify') return await verify(task.hash, task.password);
  const { userId, plantIds, reading } = task;
  return await pool.query({
    ...insert,
    values: [userId, plantIds[i % plantIds.length], new Date(), ...reading],
  });
}

const app = fastify();
app.get('/', async () => ({ status: 'ok' }));
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\nData: none\n`);
