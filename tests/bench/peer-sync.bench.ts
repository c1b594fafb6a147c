import type http from 'node:http';
import type { Request } from 'playwright';
import { batchLimits } from '#contract/batch.ts';
import { openPhone, type Phone } from '../e2e/support/phone/browser.ts';
import { withoutLive } from '../e2e/support/phone/sync.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import { couchListener } from './peers/couch-server.mjs';
import type { Bench } from './support/bench.ts';
import { openBareSite } from './support/browser/bare-site.ts';
import { bundle, inKilobytes } from './support/browser/bundle.ts';
import { phoneWith } from './support/browser/phones.ts';
import { queueWaterings, wateringsIn } from './support/browser/queue.ts';
import { type Reconnect, reconnect } from './support/browser/reconnect.ts';
import type { Listening } from './support/listening.ts';
import type { Part, Row } from './support/results/results.ts';
import { median } from './support/results/rounds.ts';
import { timesRow } from './support/results/times.ts';
import {
  type CountingProxy,
  type Line,
  openCountingProxy,
} from './support/server/counting-proxy.ts';
import { rxListener } from './support/server/rx-server.ts';

const count = 300;
const rounds = 3;
const rows: Row[] = [];

interface Peer {
  name: string;
  site: Listening;
  proxy: CountingProxy;
  phone: Phone;
  gzipBytes: number;
  editsIn: (request: Request) => number;
}

interface PeerPage {
  peer: { fill: (count: number) => Promise<void>; edit: () => Promise<void> };
}

let server: AppServer;
let proxy: CountingProxy;
let app: Phone;
let ownBytes: number;
let peers: Peer[];

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
  proxy = await openCountingProxy(server.url);
  app = await phoneWith({ ...server, url: proxy.url }, count, withoutLive);
  ownBytes = (await bundle('../../src/client/sync/worker.ts')).gzipBytes;
  peers = [
    await openPeer('RxDB', 'peers/sync-rxdb.mjs', rxListener(), (request) =>
      request.url().endsWith('/db/push') ? (request.postDataJSON() as unknown[]).length : 0,
    ),
    await openPeer('PouchDB', 'peers/sync-pouchdb.mjs', couchListener(), (request) =>
      request.url().endsWith('/_bulk_docs')
        ? (request.postDataJSON() as { docs: unknown[] }).docs.length
        : 0,
    ),
  ];
}

function section(): Part {
  return {
    title: 'Sync against other libraries',
    conditions: `${count} documents, each edited once without a network; from the return of the network to the response to the
last request that contains an edit, browser, proxy and servers on one machine. Median of ${rounds} rounds in which all took
turns. The app sends batches of at most ${batchLimits.operations} waterings to a server that commits each of them to
PostgreSQL in a transaction of its own; the others send theirs to servers that keep them in memory. The slow line has
a round trip of 400 ms; one request and one response in a hundred are delayed by one more round trip, as after a lost
packet. Bytes: the code that stores and syncs, minified.`,
    rows,
  };
}

async function close(): Promise<void> {
  await app.close();
  for (const peer of peers) {
    await peer.phone.close();
    await peer.proxy.close();
    await peer.site.close();
  }
  await proxy.close();
  await server.close();
}

async function fastLine(): Promise<void> {
  await compareOver({ delayMs: 0, loss: 0 }, 'until the server has all edits');
  for (const { name, gzipBytes } of peers) {
    rows.push({
      what: 'code, gzip',
      figure: inKilobytes(ownBytes),
      against: `${name}: ${inKilobytes(gzipBytes)}`,
      ratio: `×${(ownBytes / gzipBytes).toFixed(2)}`,
    });
  }
}

async function slowLine(): Promise<void> {
  await compareOver({ delayMs: 200, loss: 0.01 }, 'the same over a slow line');
}

async function compareOver(line: Line, what: string): Promise<void> {
  for (const one of [proxy, ...peers.map((peer) => peer.proxy)]) one.line = line;
  const own: Reconnect[] = [];
  const others: Reconnect[][] = peers.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    own.push(await reconnect(app, { count, edit: queueWaterings, editsIn: wateringsIn }));
    for (const [i, { phone, editsIn }] of peers.entries()) {
      const edit = () => phone.page.evaluate(() => (window as unknown as PeerPage).peer.edit());
      others[i]?.push(await reconnect(phone, { count, edit, editsIn }));
    }
  }
  const ms = (runs: Reconnect[]) => runs.map((run) => run.ms);
  const requests = (runs: Reconnect[]) => median(runs.map((run) => run.requests));
  for (const [i, { name }] of peers.entries()) {
    const runs = others[i] ?? [];
    rows.push(timesRow(what, ms(own), { name, values: ms(runs) }), {
      what: 'requests in that time',
      figure: String(requests(own)),
      against: `${name}: ${requests(runs)}`,
      ratio: `×${(requests(own) / requests(runs)).toFixed(2)}`,
    });
  }
}

async function openPeer(
  name: string,
  entry: string,
  listener: http.RequestListener,
  editsIn: Peer['editsIn'],
): Promise<Peer> {
  const made = await bundle(entry);
  const site = await openBareSite({ peer: { bundle: made, body: '' } }, listener);
  const proxy = await openCountingProxy(site.url);
  const phone = await openPhone(proxy.url);
  await phone.page.goto('/peer');
  await phone.page.evaluate((many) => (window as unknown as PeerPage).peer.fill(many), count);
  return { name, site, proxy, phone, gzipBytes: made.gzipBytes, editsIn };
}

export const bench: Bench = { open, steps: [fastLine, slowLine], section, close };
