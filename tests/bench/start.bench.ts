import type { Phone } from '../e2e/support/phone/browser.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { addKeeper } from './support/browser/phones.ts';
import { cacheStaticCopy, type Start, start, startingPhone } from './support/browser/warm-start.ts';
import type { Part, Row } from './support/results/results.ts';
import { timesRow } from './support/results/times.ts';

const rounds = 12;
const rows: Row[] = [];

let server: AppServer;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
}

function section(): Part {
  return {
    title: 'Warm offline start',
    conditions: `The server is stopped. Each start is in a new tab, with the service worker stopped before and the processor slowed to
a quarter, 390×844. Figures: median of ${rounds} rounds in which all took turns, from the navigation to a frame of the
main thread with six cards, and to the first tap on Water Now that had an effect. Ratio: median of the rounds' ratios.
The static copy is the HTML and CSS of the same cards without scripts, from the same service worker.`,
    rows,
  };
}

async function close(): Promise<void> {
  await server.close();
}

async function warmStart(): Promise<void> {
  const [few, many] = [
    await startingPhone(server, await addKeeper(server, 24), 24),
    await startingPhone(server, await addKeeper(server, 1_000), 1_000),
  ];
  await cacheStaticCopy(few);
  await server.kill();
  const samples: Record<'copy' | 'few' | 'bare' | 'many', Start[]> = {
    copy: [],
    few: [],
    bare: [],
    many: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    const turn = {
      copy: await start(few.context, '/landing'),
      few: await start(few.context, '/dashboard'),
      bare: await startWithoutSnapshot(few),
      many: await start(many.context, '/dashboard'),
    };
    // The first round is a warm-up and is not counted.
    if (round === 0) continue;
    for (const name of ['copy', 'few', 'bare', 'many'] as const) samples[name].push(turn[name]);
  }
  const cards = (of: Start[]) => of.map(({ cardsMs }) => cardsMs);
  const tap = (of: Start[]) => of.map(({ tapMs }) => tapMs);
  const copy = { name: 'static copy', values: cards(samples.copy) };
  const fewCards = { name: '24 plants', values: cards(samples.few) };
  const fewTap = { name: '24 plants', values: tap(samples.few) };
  rows.push(
    timesRow('24 plants: first cards', cards(samples.few), copy),
    timesRow('24 plants: first tap that works', tap(samples.few), copy),
    timesRow('24 plants: first cards, without a snapshot', cards(samples.bare), copy),
    timesRow('1,000 plants: first cards', cards(samples.many), fewCards),
    timesRow('1,000 plants: first tap that works', tap(samples.many), fewTap),
  );
  await few.close();
  await many.close();
}

async function startWithoutSnapshot({ context, page }: Phone): Promise<Start> {
  await page.goto('/landing');
  const kept = await page.evaluate(() => {
    const before = localStorage.getItem('sprig.garden') ?? '';
    localStorage.removeItem('sprig.garden');
    return before;
  });
  await page.goto('about:blank');
  const measured = await start(context, '/dashboard');
  await page.goto('/landing');
  await page.evaluate((before) => localStorage.setItem('sprig.garden', before), kept);
  await page.goto('about:blank');
  return measured;
}

export const bench: Bench = { open, steps: [warmStart], section, close };
