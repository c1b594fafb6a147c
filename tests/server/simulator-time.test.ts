import { expect, test } from 'vitest';
import { simulate } from '#simulator/simulate.ts';
import { deferred } from '../support/deferred.ts';
import { fetchApp } from '../support/device/fetch-app.ts';
import { openTestServer } from '../support/server/server.ts';

test('the time of --for begins when the devices are set up, and the run ends with it', async () => {
  const server = await openTestServer();
  const { email, password } = await server.addAccount();
  const send = fetchApp(server.app);
  const sent: string[] = [];
  const reports = () => sent.filter((path) => path === '/api/logs').length;
  let sentInSetUp: string[] = [];
  const forMs = 3_600_000;
  const { promise: timeOver, resolve: endTime } = deferred();
  const interruption = new AbortController();
  const code = await simulate(
    {
      ...{ url: '', email, password, plants: 2, speed: 600, forMs, load: null },
      ...{ dropout: 0, stuck: 0, emptyTank: 0, seed: 1 },
    },
    {
      fetch: async (url, init = {}) => {
        sent.push(String(url));
        return await send(String(url), init);
      },
      now: () => server.clock().getTime(),
      random: () => 0.5,
      pause: async (ms) => {
        if (ms === forMs) {
          sentInSetUp = [...sent];
          return await timeOver;
        }
        server.clock.advance(ms);
        if (reports() >= 4) endTime();
        // Ends the test if the end of the time does not.
        if (reports() >= 20) interruption.abort();
      },
      signal: interruption.signal,
      print: () => undefined,
    },
  );
  await server.close();
  expect([code, sentInSetUp.at(-1)]).toEqual([0, '/auth/logout']);
  expect(sentInSetUp).not.toContain('/api/logs');
  expect(interruption.signal.aborted).toBe(false);
});
