import type { DeviceDb } from '#client/store/schema.ts';
import { plantPaths } from '#contract/plants.ts';
import { fetchApp } from '../../../support/device/fetch-app.ts';
import type { SentOp } from './checks/request-checks.ts';
import type { AtCrashPoint } from './crash-point.ts';
import type { RequestFault } from './faults.ts';
import { operationsOf, resultsOf, withFirstOperations } from './operations.ts';
import type { ModelAccount, Simulation } from './simulation.ts';

/** Sends a request of a device, with a crash point before it leaves and one after its response has arrived. */
export type ModelFetch = (
  sender: Sender,
  url: string,
  init: RequestInit,
  atCrashPoint: AtCrashPoint,
) => Promise<Response>;

interface Sender {
  name: string;
  account: ModelAccount;
  db: DeviceDb;
  /** ms */
  offlineUntil: number;
}

interface ModelRequest {
  account: ModelAccount;
  url: string;
  init: RequestInit;
  sent: SentOp[];
}

/** The network between devices and server. It applies faults and logs the effects of what the server executes. */
export function createModelNetwork(sim: Simulation): ModelFetch {
  const { checks, effects, faults } = sim;

  async function serve({ account, url, init, sent }: ModelRequest): Promise<Response> {
    sim.advance(5);
    const { signal: _, ...rest } = init;
    const execute = () => fetchApp(sim.server.app)(url, rest);
    const response = await (sent.length > 0 ? sim.live.announcing(account, execute) : execute());
    response.headers.set('date', new Date(sim.now).toUTCString());
    const results = await resultsOf(url, response, sent.length);
    sent.forEach((op, i) => {
      const result = results[i];
      const isSuccess = result && result.status >= 200 && result.status < 300;
      if (isSuccess && !result.isReplay) effects.record(op, JSON.parse(result.body));
    });
    const etag = response.headers.get('etag');
    if (isListPath(url) && etag) {
      sim.rowChecks.listSent(account, etag, await sim.server.versionsOf(account));
    }
    return response;
  }

  /** The server fails after it has executed all, some or none of the operations. */
  async function serveSome({ init, ...request }: ModelRequest): Promise<void> {
    const count = faults.executedBeforeFailure(request.sent.length);
    const first = withFirstOperations(request.url, init, count);
    if (first) await serve({ ...request, init: first, sent: request.sent.slice(0, count) });
  }

  async function serveWith(fault: RequestFault | null, request: ModelRequest): Promise<Response> {
    switch (fault) {
      case null:
        return serve(request);
      case 'request lost':
        throw new TypeError(fault);
      case 'response lost':
        await serve(request);
        throw new TypeError(fault);
      case 'request delayed':
        sim.delayed.push(() => serve(request));
        throw new TypeError(fault);
      case 'server crash':
        await serveSome(request);
        await sim.server.restart();
        throw new TypeError(fault);
      case 'server error':
        await serveSome(request);
        return jsonResponse(500, 'Oops');
      case 'gateway error':
        await serveSome(request);
        return new Response('<html>Bad gateway</html>', { status: 502 });
      case 'server timeout':
        await serveSome(request);
        return jsonResponse(408, 'Too slow');
      case 'server busy':
        return jsonResponse(503, 'Later', { 'retry-after': '40' });
      case 'too many requests':
        return jsonResponse(429, 'Slow down', { 'retry-after': '10' });
      case 'too early':
        return jsonResponse(425, 'Too early');
      case 'captive portal':
        return new Response('<html>Accept our terms</html>', { status: 200 });
    }
  }

  return async (sender, url, init, atCrashPoint) => {
    const method = init.method ?? 'GET';
    const sent = await checks.sending(sender.name, sender.db, operationsOf(url, init));
    await atCrashPoint({ type: 'request', method, url });
    sim.advance(20);
    if (sim.now < sender.offlineUntil) throw new TypeError('no network');
    const fault = faults.ofRequest(sent.length > 0);
    const response = await serveWith(fault, { account: sender.account, url, init, sent });
    const results = await resultsOf(url, response, sent.length);
    const statuses = sent.map((_, i) =>
      isJson(response) ? (results[i]?.status ?? response.status) : 502,
    );
    sent.forEach((op, i) => {
      checks.received(op, statuses[i] ?? 502);
    });
    await atCrashPoint({ type: 'response', method, url, statuses });
    return response;
  };
}

/** Whether a request of this path is for one of the two lists of plants. */
export function isListPath(url: string): boolean {
  return url === plantPaths.all || url === plantPaths.withReadings;
}

function jsonResponse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ message }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}
