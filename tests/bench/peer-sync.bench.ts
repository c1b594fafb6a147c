import type http from 'node:http';
import type { Request } from 'playwright';
import { type AppServer, openAppServer } from '../e2e/support/app-server.ts';
import { openPhone, type Phone } from '../e2e/support/browser.ts';
import { couchListener } from './peers/couch-server.mjs';
import { openBareSite } from './support/bare-site.ts';
import type { Bench } from './support/bench.ts';
import { bundle, inKilobytes } from './support/bundle.ts';
import type { Listening } from './support/listening.ts';
import { phoneWith } from './support/phones.ts';
import { queueWaterings } from './support/queue.ts';
import { type Reconnect, reconnect } from './support/reconnect.ts';
import type { Part, Row } from './support/results.ts';
import { median } from './support/rounds.ts';
import { rxListener } from './support/rx-server.ts';
import { timesRow } from './support/times.ts';

const count = 300;
const rounds = 3;
const rows: Row[] = [];

interface Peer {
  name: string;
  site: Listening;
  phone: Phone;
  gzipBytes: number;
  broughtBy: (request: Request) => number;
  runs: Reconnect[];
}

interface PeerPage {
  peer: { fill: (count: number) => Promise<void>; edit: () => Promise<void> };
}

let server: AppServer;
let app: Phone;
let ownBytes: number;
let peers: Peer[];

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
  app = await phoneWith(server, count);
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
    conditions: `${count} documents, each edited once without a network; from the network's return to the answer to the
last request that brought an edit, browser and servers on one machine. Median of ${rounds} rounds in which all took
turns. The app sends each watering by itself, because each is decided by itself, to a server on PostgreSQL that has
stored it for good when it answers; the others send many in one request, to servers that keep them in memory. Bytes: the
code that stores and syncs, minified.`,
    rows,
  };
}

async function close(): Promise<void> {
  await app.close();
  for (const { phone, site } of peers) {
    await phone.close();
    await site.close();
  }
  await server.close();
}

async function reconnectAll(): Promise<void> {
  const own: Reconnect[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(
      await reconnect(app, {
        count,
        edit: queueWaterings,
        broughtBy: (request) => (request.url().includes('/water?') ? 1 : 0),
      }),
    );
    for (const { phone, broughtBy, runs } of peers) {
      const edit = () => phone.page.evaluate(() => (window as unknown as PeerPage).peer.edit());
      runs.push(await reconnect(phone, { count, edit, broughtBy }));
    }
  }
  const ms = (runs: Reconnect[]) => runs.map((run) => run.ms);
  const requests = (runs: Reconnect[]) => median(runs.map((run) => run.requests));
  for (const { name, runs, gzipBytes } of peers) {
    rows.push(
      timesRow('until the server has all', ms(own), { name, values: ms(runs) }),
      {
        what: 'requests in that time',
        figure: String(requests(own)),
        against: `${name}: ${requests(runs)}`,
        ratio: `×${(requests(own) / requests(runs)).toFixed(1)}`,
      },
      {
        what: 'code, gzip',
        figure: inKilobytes(ownBytes),
        against: `${name}: ${inKilobytes(gzipBytes)}`,
        ratio: `×${(ownBytes / gzipBytes).toFixed(2)}`,
      },
    );
  }
}

async function openPeer(
  name: string,
  entry: string,
  listener: http.RequestListener,
  broughtBy: Peer['broughtBy'],
): Promise<Peer> {
  const made = await bundle(entry);
  const site = await openBareSite({ peer: { bundle: made, body: '' } }, listener);
  const phone = await openPhone(site.url);
  await phone.page.goto('/peer');
  await phone.page.evaluate((many) => (window as unknown as PeerPage).peer.fill(many), count);
  return { name, site, phone, gzipBytes: made.gzipBytes, broughtBy, runs: [] };
}

export const bench: Bench = { open, steps: [reconnectAll], section, close };
