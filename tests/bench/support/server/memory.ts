import { bearer } from '../../../support/server/server.ts';
import { inMiB } from '../results/figures-text.ts';
import type { Row } from '../results/results.ts';
import { load, type Shot } from './load.ts';
import { type Scene, serve } from './scene.ts';
import { getLatest, getList, getLogs, postLog } from './shots.ts';

const early = 5_000;
const late = 100_000;

/** Compares the memory of a new server after `late` requests with that after `early` requests. */
export async function measureMemory(scene: Scene): Promise<Row[]> {
  const server = await serve(scene.garden);
  try {
    const shotOf = mixedDay(scene);
    await load(server.url, early, shotOf);
    const before = await server.memory();
    await load(server.url, late - early, shotOf);
    const after = await server.memory();
    return [
      rowOf('Heap in use', after.heapUsed, before.heapUsed),
      rowOf('Resident memory', after.rss, before.rss),
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Of a hundred requests, ten report readings, one reads the list of plants, and the others read one plant's logs or
 * newest reading.
 */
function mixedDay({ garden, tokens }: Scene): (i: number) => Shot {
  const person = bearer({ token: tokens.reader });
  const packed = { ...person, 'accept-encoding': 'gzip, deflate, br' };
  const { devices } = garden.owner;
  const { plantIds } = garden.reader;
  return (i) => {
    if (i % 100 === 0) return getList(packed);
    if (i % 5 === 1) return getLogs(person, plantIds, i);
    if (i % 10 !== 5) return getLatest(person, plantIds, i);
    const device = devices[i % devices.length];
    return postLog(bearer({ token: device?.token ?? '' }), {
      soil_humidity: 40 + (i % 10),
      temperature: 21,
    });
  };
}

function rowOf(what: string, after: number, before: number): Row {
  return {
    what: `${what} after ${late.toLocaleString('en')} requests`,
    figure: inMiB(after),
    against: `after ${early.toLocaleString('en')}: ${inMiB(before)}`,
    ratio: `×${(after / before).toFixed(2)}`,
  };
}
