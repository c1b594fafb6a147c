import { bearer } from '../../support/server.ts';
import { load, type Shot } from './load.ts';
import type { Row } from './results.ts';
import { type Scene, serve } from './scene.ts';
import { getList, getLogs, postLog } from './shots.ts';

const early = 5_000;
const late = 100_000;

/** What a fresh server holds after many requests of all kinds, against what it held after some. */
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

/** Of a hundred requests 60 bring readings, 38 read a plant's and two all plants'. */
function mixedDay({ garden, tokens }: Scene): (i: number) => Shot {
  const person = bearer({ token: tokens.reader });
  const packed = { ...person, 'accept-encoding': 'gzip, deflate, br' };
  const { devices } = garden.owner;
  return (i) => {
    if (i % 50 === 0) return getList(packed);
    if (i % 5 < 2) return getLogs(person, garden.reader.plantIds, i);
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
    figure: mebibytes(after),
    against: `after ${early.toLocaleString('en')}: ${mebibytes(before)}`,
    ratio: `×${(after / before).toFixed(2)}`,
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
