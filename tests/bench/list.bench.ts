import { openPhone, type Phone } from '../e2e/support/phone/browser.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { openBareSite } from './support/browser/bare-site.ts';
import { bundle } from './support/browser/bundle.ts';
import { addKeeper } from './support/browser/phones.ts';
import { typeMs } from './support/browser/touch.ts';
import {
  openSlowly,
  type Start,
  start,
  startingPhone,
  watchCards,
} from './support/browser/warm-start.ts';
import type { Listening } from './support/listening.ts';
import type { Part, Row } from './support/results/results.ts';
import { timesRow } from './support/results/times.ts';

const count = 1_000;
const rounds = 8;
const rows: Row[] = [];

let server: AppServer;
let site: Listening;
let app: Phone;
let plain: Phone;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
  app = await startingPhone(server, await addKeeper(server, count), count);
  await server.kill();
  const page = { bundle: await bundle('pages/plain-list.tsx'), body: '<div id="root"></div>' };
  site = await openBareSite({ list: page });
  plain = await openPhone(site.url);
  await watchCards(plain.context);
}

function section(): Part {
  return {
    title: 'The list against a plain one',
    conditions: `1,000 plants, 390×844, the page's processor slowed to a quarter. The app starts without a network; the
plain list is React without virtualisation, its cards styled by the app's own style sheet, its plants in IndexedDB, its
page from a server on the same machine. Median of ${rounds} rounds in which both took turns.`,
    rows,
  };
}

async function close(): Promise<void> {
  await app.close();
  await plain.close();
  await site.close();
  await server.close();
}

async function startAndSearch(): Promise<void> {
  const starts: { app: Start[]; plain: Start[] } = { app: [], plain: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const [ours, theirs] = [
      await start(app.context, '/dashboard'),
      await start(plain.context, '/list'),
    ];
    // The first round is a warm-up and is not counted.
    if (round === 0) continue;
    starts.app.push(ours);
    starts.plain.push(theirs);
  }
  const [typedApp, typedPlain]: [number[], number[]] = [[], []];
  await openSlowly(app, '/dashboard');
  await openSlowly(plain, '/list');
  for (let round = 0; round < 4; round += 1) {
    for (const typed of ['1', '12', '123', '12', '1', '']) {
      typedApp.push(await typeMs(app.page, count, typed));
      typedPlain.push(await typeMs(plain.page, count, typed));
    }
  }
  const name = 'plain React list';
  const all = { name, values: starts.plain.map(({ cardsMs }) => cardsMs) };
  const ofApp = (moment: keyof Start) => starts.app.map((one) => one[moment]);
  rows.push(
    timesRow('first cards in a frame', ofApp('cardsMs'), all),
    timesRow('first tap that works', ofApp('tapMs'), all),
    timesRow('a keystroke in the search', typedApp, { name, values: typedPlain }),
  );
}

export const bench: Bench = { open, steps: [startAndSearch], section, close };
