import ICAL from 'ical.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewCalendar } from '#contract/settings/calendar.ts';
import { testClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../../support/server/server.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer(testClock('2026-11-20T08:00:00.000Z'));
});
afterEach(() => server.close());

/** An account with a feed. `read` requests it. */
async function openFeed(on = server) {
  const account = await on.addAccount();
  const request = requestAs(on, account);
  const made = await request('POST', '/api/calendar');
  const { url } = made.json<NewCalendar>();
  const path = url.replace(publicUrl, '');
  const read = (ifNoneMatch?: string) => requestAs(on, null)('GET', path, { ifNoneMatch });
  return { account, request, path, read };
}

function eventsIn(text: string) {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const stamp = String(component.getFirstPropertyValue('dtstamp'));
    const [start, end] = [event.startDate, event.endDate].map(String);
    return { uid: event.uid, start, end, summary: event.summary, stamp, text: event.description };
  });
}

async function addPlants(account: Account, nicknames: string[], watering_frequency = 30) {
  const plants = [];
  for (const nickname of nicknames) {
    plants.push(await addPlant(server, account, { nickname, watering_frequency }));
  }
  return plants;
}

test('a feed has one all-day event for each day on which plants are due', async () => {
  const { account, read } = await openFeed();
  const [monty] = await addPlants(account, ['Monty', 'Fern; the "big", one\\'], 7);
  const events = eventsIn((await read()).body);
  expect(events).toHaveLength(8);
  expect(events[0]).toMatchObject({
    uid: `due-${account.userId}-2026-11-27@sprig`,
    start: '2026-11-27',
    end: '2026-11-28',
    summary: 'Water 2 plants',
  });
  expect(events[0]?.text).toContain('Fern; the "big", one\\ (Bathroom)\n');
  expect(events[0]?.text).toContain(`${publicUrl}/dashboard/plants?plant=${monty?.id}`);
});

test('with is_per_plant a feed has one event for each plant, with the name of the plant', async () => {
  const { account, request, read } = await openFeed();
  await addPlants(account, ['Monty', 'Fern 🌿']);
  await request('PATCH', '/api/calendar', { payload: { is_per_plant: true } });
  const summaries = eventsIn((await read()).body).map(({ start, summary }) => [start, summary]);
  expect(summaries).toEqual([
    ['2026-12-20', 'Water Fern 🌿'],
    ['2026-12-20', 'Water Monty'],
  ]);
});

test('the response is a private calendar that is not indexed, and HEAD gets the same ETag', async () => {
  const { read, path } = await openFeed();
  const response = await read();
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, max-age=900',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]{27}"$/),
  });
  expect(response.body).toContain('X-WR-CALNAME:Sprig: watering\r\n');
  const head = await requestAs(server, null)('HEAD', path);
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', response.headers.etag]);
});

test('a feed without changes is the same all day, and its ETag gets a 304', async () => {
  const own = await openTestServer(testClock('2026-11-20T17:00:00.000Z'));
  const { account, read } = await openFeed(own);
  await addPlant(own, account, { watering_frequency: 3 });
  const first = await read();
  for (let hours = 0; hours < 24; hours += 6) {
    const again = await read(String(first.headers.etag));
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await read()).body).toBe(first.body);
    own.clock.advance(6 * hourMs - 1);
  }
  own.clock.advance(hourMs);
  const next = await read(String(first.headers.etag));
  expect(next.statusCode).toBe(200);
  // The period of the feed is a day later; the events that are in both responses are the same.
  expect(eventsIn(next.body).slice(0, 19)).toEqual(eventsIn(first.body).slice(0, 19));
  await own.close();
});

test('the time stamp of the events is that of the last change, and not of the request', async () => {
  const { account, request, read } = await openFeed();
  await addPlants(account, ['Monty']);
  const [before] = eventsIn((await read()).body);
  server.clock.advance(hourMs);
  const [later] = eventsIn((await read()).body);
  expect(later?.stamp).toBe(before?.stamp);
  await request('PATCH', '/auth/me', { payload: { time_zone: 'Asia/Tokyo' } });
  const [changed] = eventsIn((await read()).body);
  const now = server.clock().toISOString().replace('.000', '');
  expect([changed?.stamp, later?.stamp === now]).toEqual([now, false]);
});

test('an event that changes because a plant is overdue has a later time stamp', async () => {
  const own = await openTestServer(testClock('2026-11-20T08:00:00.000Z'));
  const { account, read } = await openFeed(own);
  await addPlant(own, account, { nickname: 'Fern', watering_frequency: 2 });
  await addPlant(own, account, { nickname: 'Monty', watering_frequency: 3 });
  own.clock.advance(2 * dayMs);
  const before = eventsIn((await read()).body).find(({ start }) => start === '2026-11-23');
  own.clock.advance(dayMs);
  const [after] = eventsIn((await read()).body);
  expect([before?.summary, after?.summary]).toEqual(['Water Monty', 'Water 2 plants']);
  expect(after?.uid).toBe(before?.uid);
  expect(after?.stamp).toBe('2026-11-23T08:00:00Z');
  own.clock.advance(hourMs);
  expect(eventsIn((await read()).body)[0]?.stamp).toBe(after?.stamp);
  await own.close();
});

test('each change has a later time stamp, also within a second and after the clock was set back', async () => {
  const own = await openTestServer(testClock('2026-11-20T08:00:00.000Z'));
  const { account, read } = await openFeed(own);
  const stamps = [];
  for (const clockChange of [0, 0, -dayMs]) {
    own.clock.advance(clockChange);
    await addPlant(own, account, { watering_frequency: 30 });
    await read();
    await addPlant(own, account, { watering_frequency: 30 });
    stamps.push(eventsIn((await read()).body)[0]?.stamp);
  }
  expect(stamps).toEqual([...new Set(stamps)].sort());
  expect(stamps).toHaveLength(3);
  await own.close();
});

test('a watering and a snooze move the dates', async () => {
  const { account, request, read } = await openFeed();
  const [plant] = await addPlants(account, ['Monty'], 20);
  const first = async () => eventsIn((await read()).body)[0]?.start;
  const dateIn = (days: number) =>
    new Date(server.clock().getTime() + days * dayMs + 7 * hourMs).toISOString().slice(0, 10);
  server.clock.advance(5 * dayMs);
  expect(await first()).toBe(dateIn(15));
  await request('POST', `/api/plants/${plant?.id}/water`);
  expect(await first()).toBe(dateIn(20));
  server.clock.advance(21 * dayMs);
  expect(await first()).toBe(dateIn(0));
  const at = server.clock().toISOString();
  const snooze = { id: crypto.randomUUID(), type: 'snoozed', at, days: 3 };
  const response = await request('POST', `/api/plants/${plant?.id}/journal`, { payload: snooze });
  expect(response.statusCode).toBe(201);
  expect(await first()).toBe(dateIn(3));
});

test.each([
  ['Pacific/Pago_Pago', '2026-11-19'],
  ['Europe/Paris', '2026-11-20'],
  [null, '2026-11-20'],
  ['Pacific/Kiritimati', '2026-11-21'],
])('in the zone %s an overdue plant is due on %s, which is today there', async (zone, date) => {
  const own = await openTestServer(testClock('2026-09-20T10:30:00.000Z'));
  const { account, request, read } = await openFeed(own);
  await addPlant(own, account, { watering_frequency: 7 });
  await request('PATCH', '/auth/me', { payload: { time_zone: zone } });
  own.clock.advance(61 * dayMs);
  expect(own.clock().toISOString()).toBe('2026-11-20T10:30:00.000Z');
  expect(eventsIn((await read()).body)[0]).toMatchObject({ start: date });
  await own.close();
});

test('a feed of 300 plants counts all of them and has no line longer than 75 bytes', async () => {
  const { account, read } = await openFeed();
  await server.db.pool.query(
    `INSERT INTO plants (user_id, id, nickname, plant_name, category, species, watering_frequency,
        sunlight_requirements, fertilizer_schedule, auto_watering_enabled, date_added, next_watering_date)
      SELECT $1, gen_random_uuid(), repeat('水🌵é', n % 20), 'x', 'x', 'x', 1, 'x', 'x', false, $2, $2
      FROM generate_series(1, 300) AS n`,
    [account.userId, server.clock()],
  );
  const { body } = await read();
  const events = eventsIn(body);
  expect(events).toHaveLength(60);
  expect(events[0]?.summary).toBe('Water 300 plants');
  expect(body.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
});

test('an account without plants has a feed without events', async () => {
  const { read } = await openFeed();
  const { body } = await read();
  expect(eventsIn(body)).toEqual([]);
  expect(body).toMatch(/^BEGIN:VCALENDAR\r\n/);
});

test('a feed contains only plants of its own account', async () => {
  const [own, other] = [await openFeed(), await openFeed()];
  await addPlants(other.account, ['Secret']);
  expect((await own.read()).body).not.toContain('Secret');
  expect((await other.read()).body).toContain('Secret');
});
