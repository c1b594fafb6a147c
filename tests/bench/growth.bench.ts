import type { Phone } from '../e2e/support/phone/browser.ts';
import { withoutLive } from '../e2e/support/phone/sync.ts';
import { openAppServer } from '../e2e/support/server/app-server.ts';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import { addCopier, phoneOf } from './support/browser/phones.ts';
import { queueWaterings, wateringsIn } from './support/browser/queue.ts';
import { reconnect } from './support/browser/reconnect.ts';
import { typeMs } from './support/browser/touch.ts';
import { openSlowly, start, startingPhone } from './support/browser/warm-start.ts';
import { type Growth, plotOf } from './support/results/plot.ts';
import type { Part, Row } from './support/results/results.ts';
import { type Contender, compare, type Figures, median, ratio } from './support/results/rounds.ts';
import { inMs } from './support/results/times.ts';
import { openScene, type Scene } from './support/server/scene.ts';
import { getList, getLogs } from './support/server/shots.ts';

const rows: Row[] = [];
const plots: NonNullable<Part['plots']> = [];

function section(): Part {
  return {
    title: 'Growth',
    conditions: `Each size is compared with the smallest one; both were measured in turns. Plants: a warm start without a
network and a keystroke in the search, the page's processor slowed to a quarter, 390×844. Tabs: open tabs of one account
with 50 plants, a different account for each number; all tabs are visible, and the idle minute is the same one for all
accounts. Rows: CPU time per request of the server + of its database.`,
    rows,
    plots,
  };
}

async function openTabs(): Promise<void> {
  const tabs = [1, 2, 4, 8];
  const plants = 50;
  const server = await openAppServer();
  await server.start();
  const phones: Phone[] = [];
  for (const count of tabs) {
    const keeper = await addCopier(server, plants, `keeper with ${count} tabs`);
    const phone = await phoneOf(server, keeper, plants, withoutLive);
    for (let tab = 1; tab < count; tab += 1) {
      await (await phone.context.newPage()).goto('/dashboard', { waitUntil: 'networkidle' });
    }
    phones.push(phone);
  }
  const idle = await Promise.all(phones.map((phone) => requestsIn(phone, 60_000)));
  const drains: number[][] = tabs.map(() => []);
  for (let round = 0; round < 3; round += 1) {
    for (const [i, phone] of phones.entries()) {
      const { ms } = await reconnect(phone, {
        count: plants,
        edit: queueWaterings,
        editsIn: wateringsIn,
      });
      drains[i]?.push(ms);
    }
  }
  const requests = idle.map((count) => count / (idle[0] ?? Number.NaN));
  note('requests in an idle minute', tabs, idle.map(String), requests, 'tab');
  const drained = grown(drains);
  note(
    '50 queued waterings sent',
    tabs,
    drains.map((ms) => inMs(median(ms))),
    drained,
    'tab',
  );
  draw('growth-tabs.svg', {
    title: 'More tabs of the same account',
    xLabel: 'tabs open at once',
    yLabel: 'times one tab',
    xs: tabs,
    series: [
      { name: 'requests, idle minute', ys: requests },
      { name: '50 waterings sent', ys: drained },
    ],
  });
  for (const phone of phones) await phone.close();
  await server.close();
}

async function requestsIn({ context }: Phone, ms: number): Promise<number> {
  let count = 0;
  const counted = (request: { url: () => string }) => {
    if (request.url().includes('/api/')) count += 1;
  };
  context.on('request', counted);
  await new Promise((resolve) => setTimeout(resolve, ms));
  context.off('request', counted);
  return count;
}

async function serverRows(): Promise<void> {
  const each = [200, 2_000, 20_000, 200_000];
  const logRows = each.map((count) => count * 50);
  const scenes: Scene[] = [];
  for (const count of each) scenes.push(await openScene(count));
  const contenders: Record<string, Contender> = {};
  for (const [i, scene] of scenes.entries()) {
    const reader = bearer({ token: scene.tokens.reader });
    const { plantIds } = scene.garden.reader;
    contenders[`list ${i}`] = scene.requests(100, () => getList(reader));
    contenders[`logs ${i}`] = scene.requests(500, (at) => getLogs(reader, plantIds, at));
  }
  const figures = await compare(contenders, 5);
  const growthOf = (what: string, name: string) => {
    const found = scenes.map((_, i) => figures[`${name} ${i}`]).filter((one) => one !== undefined);
    const [first] = found;
    if (!first) throw new Error(`nothing measured of ${what}`);
    const ratios = found.map((one) => ratio(one, first).cpu);
    note(what, logRows, found.map(cpuText), ratios, 'row');
    return { name: what, ys: ratios };
  };
  draw('growth-rows.svg', {
    title: 'More readings on the server',
    xLabel: 'readings of an account with 50 plants',
    yLabel: 'times the CPU with 10,000',
    xs: logRows,
    series: [growthOf('plants with readings', 'list'), growthOf('24 logs of a plant', 'logs')],
  });
  for (const scene of scenes) await scene.close();
}

function cpuText({ appUs, dbUs }: Figures): string {
  return `${Math.round(appUs)} + ${Math.round(dbUs)} µs`;
}

async function devicePlants(): Promise<void> {
  const counts = [24, 100, 300, 1_000, 3_000, 10_000];
  const [fewest = 0, ...more] = counts;
  const server = await openAppServer();
  await server.start();
  const few = await startingPhone(server, await addCopier(server, fewest), fewest);
  const kinds = ['first cards', 'first tap that works', 'a keystroke in the search'] as const;
  const figures = kinds.map(() => ({ few: [] as number[], many: [] as number[], ratios: [1] }));
  for (const count of more) {
    // Two phones at a time: on a small machine more browsers would slow each other down.
    const many = await startingPhone(server, await addCopier(server, count), count);
    await server.kill();
    const pair = [
      { phone: few, count: fewest, of: 'few' },
      { phone: many, count, of: 'many' },
    ] as const;
    const measured = { few: kinds.map((): number[] => []), many: kinds.map((): number[] => []) };
    for (let round = 0; round <= 4; round += 1) {
      for (const { phone, of } of pair) {
        const { cardsMs, tapMs } = await start(phone.context, '/dashboard');
        // The first round is a warm-up and is not counted.
        if (round === 0) continue;
        measured[of][0]?.push(cardsMs);
        measured[of][1]?.push(tapMs);
      }
    }
    for (const { phone } of pair) await openSlowly(phone, '/dashboard');
    for (const typed of ['1', '12', '1', '12', '1', '']) {
      for (const { phone, count: plants, of } of pair) {
        measured[of][2]?.push(await typeMs(phone.page, plants, typed));
      }
    }
    for (const [kind, figure] of figures.entries()) {
      const [fewMs = [], manyMs = []] = [measured.few[kind], measured.many[kind]];
      figure.few.push(...fewMs);
      figure.many.push(median(manyMs));
      figure.ratios.push(grown([fewMs, manyMs])[1] ?? Number.NaN);
    }
    await few.page.goto('about:blank');
    await many.close();
    await server.start();
  }
  for (const [kind, { few: fewMs, many, ratios }] of figures.entries()) {
    note(kinds[kind] ?? '', counts, [median(fewMs), ...many].map(inMs), ratios, 'plant');
  }
  draw('growth-plants.svg', {
    title: 'More plants on the device',
    xLabel: 'plants',
    yLabel: 'times the same with 24 plants',
    xs: counts,
    series: kinds.map((name, kind) => ({ name, ys: figures[kind]?.ratios ?? [] })),
  });
  await few.close();
  await server.close();
}

/** Each size's time relative to the smallest one's: the median of the ratios of all rounds. */
function grown(samples: number[][]): number[] {
  const [first = []] = samples;
  return samples.map((some) => median(some.map((ms, round) => ms / (first[round] ?? Number.NaN))));
}

/** Adds a row for each size except the smallest, with which the others are compared. */
function note(what: string, sizes: number[], figures: string[], ratios: number[], unit: string) {
  const sizeText = (size = 0) => `${size.toLocaleString('en')} ${unit}${size === 1 ? '' : 's'}`;
  for (const [i, size] of sizes.entries()) {
    if (i === 0) continue;
    rows.push({
      what: `${what}, ${sizeText(size)}`,
      figure: figures[i] ?? '',
      against: `${sizeText(sizes[0])}: ${figures[0]}`,
      ratio: `×${ratios[i]?.toFixed(2)}`,
    });
  }
}

function draw(file: string, growth: Growth): void {
  plots.push({ file, svg: plotOf(growth), alt: `${growth.title}: ${growth.yLabel}` });
}

export const bench: Bench = { steps: [openTabs, serverRows, devicePlants], section };
