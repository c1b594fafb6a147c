import type { DeviceDb } from '#client/store/schema.ts';
import { fetchApp } from '../../../support/fetch-app.ts';
import { WireWatch } from '../support/wire-watch.ts';
import type { Gate } from './gates.ts';
import type { Wire } from './ledger.ts';
import type { World } from './world.ts';

/** A request of a device; the gate stands before it leaves and after its answer has come. */
export type ModelFetch = (
  sender: Sender,
  url: string,
  init: RequestInit,
  gate: Gate,
) => Promise<Response>;

interface Sender {
  name: string;
  db: DeviceDb;
  /** Without a network until then, ms. */
  offlineUntil: number;
}

type Trouble =
  | 'lost request'
  | 'lost answer'
  | 'late request'
  | 'broken server'
  | 'broken gateway'
  | 'busy server'
  | 'too many'
  | 'too early'
  | 'portal'
  | 'gives up';

const troubles: readonly Trouble[] = [
  'lost request',
  'lost request',
  'lost answer',
  'lost answer',
  'lost answer',
  'late request',
  'late request',
  'broken server',
  'broken gateway',
  'busy server',
  'too many',
  'too early',
  'portal',
  'gives up',
];

/** The way from the devices of a world to its server, with all that happens on it. */
export function createModelNetwork(world: World): ModelFetch {
  const watch = new WireWatch(world.ledger);
  const { random } = world;

  async function serve(url: string, init: RequestInit, wire: Wire | null): Promise<Response> {
    world.pass(5);
    const { signal: _, ...rest } = init;
    const response = await fetchApp(world.lane.app)(url, rest);
    response.headers.set('date', new Date(world.now).toUTCString());
    const isEffect = response.ok && response.headers.get('idempotent-replayed') === null;
    if (wire && isEffect) world.ledger.noteEffect(wire, await response.clone().json());
    return response;
  }

  async function pass(
    sender: Sender,
    url: string,
    init: RequestInit,
    wire: Wire | null,
  ): Promise<Response> {
    world.pass(20);
    if (world.now < sender.offlineUntil) throw new TypeError('no network');
    const chance = wire ? 0.22 : 0.06;
    const trouble = !world.isCalm && random.chance(chance) ? random.pick(troubles) : null;
    const response = await troubled(trouble, () => serve(url, init, wire));
    if (wire) watch.noteAnswer(wire, isJson(response) ? response.status : 502);
    return response;
  }

  async function troubled(
    trouble: Trouble | null,
    request: () => Promise<Response>,
  ): Promise<Response> {
    switch (trouble) {
      case null:
        return request();
      case 'lost request':
        throw new TypeError(trouble);
      case 'lost answer':
        await request();
        throw new TypeError(trouble);
      case 'late request':
        world.late.push({ deliver: request });
        throw new TypeError(trouble);
      case 'broken server':
        if (random.chance(0.5)) await request();
        return says(500, { message: 'Oops' });
      case 'broken gateway':
        if (random.chance(0.5)) await request();
        return new Response('<html>Bad gateway</html>', { status: 502 });
      case 'busy server':
        return says(503, { message: 'Later' }, { 'retry-after': '40' });
      case 'too many':
        return says(429, { message: 'Slow down' }, { 'retry-after': '10' });
      case 'too early':
        return says(425, { message: 'Too early' });
      case 'portal':
        return new Response('<html>Accept our terms</html>', { status: 200 });
      case 'gives up':
        if (random.chance(0.5)) await request();
        return says(408, { message: 'Too slow' });
    }
  }

  return async (sender, url, init, gate) => {
    const wire = await watch.read(sender.name, sender.db, url, init);
    await gate(`before ${init.method} ${url}`);
    const response = await pass(sender, url, init, wire);
    await gate(`after ${init.method} ${url}`);
    return response;
  };
}

function says(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}
