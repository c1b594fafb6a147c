import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { formatMoment } from '#domain/dates.ts';
import { defaultZone } from '#domain/zone.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { themeColor } from '../../../../support/component/browser.ts';
import { tap, tapAt } from '../../../../support/component/double-tap.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  dayMs,
  hourMs,
  monty,
  pullPlants,
  shownPlants,
  wateredAgo,
  zed,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

const alma = () => monty({ id: 'alma', nickname: 'Alma', ...wateredAgo(44.5 * hourMs, 7) });
const carla = () =>
  monty({ id: 'carla', nickname: 'Carla', watering_frequency: 1, ...wateredAgo(2 * hourMs, 1) });

const dora = () => zed({ id: 'dora', nickname: 'Dora', ...wateredAgo(15 * dayMs, 14) });

let db: DeviceDb;
beforeEach(async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 20, 5));
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [alma(), carla(), zed()]);
  await openApp('/dashboard/schedule');
  await expect.poll(shownPlants).toEqual(['Zed', 'Carla', 'Alma']);
});
afterEach(() => vi.useRealTimers());

const item = (nickname: string) => page.getByRole('article').filter({ hasText: nickname });
const bar = (nickname: string) =>
  page.getByRole('progressbar', { name: `Watering interval of ${nickname} elapsed` });
const elapsed = (nickname: string) => Number(bar(nickname).element().getAttribute('value'));

test('shows the next watering date; the time left and the elapsed part of the interval change as time passes', async () => {
  const next = formatMoment(Date.parse(alma().next_watering_date ?? ''), 'dateTime', defaultZone);
  await expect.element(item('Alma').getByText(`Next: ${next}`)).toBeVisible();
  await expect.element(item('Alma').getByText('Swiss Cheese Plant')).toBeVisible();
  await expect.element(item('Alma').getByText('Every 7 days')).toBeVisible();
  await expect.element(item('Carla').getByText('Every 1 day')).toBeVisible();
  const image = item('Alma').element().querySelector('img[width="1260"][height="750"]');
  expect(image?.getAttribute('src')).toContain('monstera');
  expect(elapsed('Alma')).toBeCloseTo((100 * 44.5) / (7 * 24), 0);
  await expect.element(item('Alma').getByText('5d 3h remaining')).toBeVisible();
  const before = elapsed('Alma');
  vi.setSystemTime(Date.now() + 3 * hourMs);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(item('Alma').getByText('5d 0h remaining')).toBeVisible();
  expect(elapsed('Alma')).toBeGreaterThan(before + 1);
});

test('the subtitle says what the schedule is for', async () => {
  const subtitle = page.getByText("Keep track of your plants' watering needs", { exact: true });
  await expect.element(subtitle).toBeVisible();
});

test('marks an overdue plant in red', async () => {
  const red = themeColor('danger');
  const remaining = (nickname: string, text: string) =>
    getComputedStyle(item(nickname).getByText(text).element()).color;
  const border = (nickname: string) => getComputedStyle(item(nickname).element()).borderTopColor;
  expect([remaining('Zed', 'Overdue'), border('Zed')]).toEqual([red, red]);
  expect([remaining('Alma', '5d'), border('Alma')]).not.toContain(red);
});

test('after a watering the schedule is sorted again and the plant is no longer overdue', async () => {
  expect(elapsed('Zed')).toBe(100);
  await button('Water Now: Zed').click();
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.poll(shownPlants).toEqual(['Carla', 'Alma', 'Zed']);
  await expect.element(item('Zed').getByText(/^1[34]d \d+h remaining$/)).toBeVisible();
  expect(item('Zed').getByText('Overdue').elements()).toHaveLength(0);
  expect(elapsed('Zed')).toBeLessThan(15);
});

test('the second tap of a double tap on Water Now does not water the next plant; a tap on another plant waters that plant', async () => {
  await pullPlants(db, [carla(), zed(), dora()]);
  await expect.poll(shownPlants).toEqual(['Zed', 'Dora', 'Carla', 'Alma']);
  const finger = await tap(button('Water Now: Zed'));
  // Moves the next plant to the tapped place, as sorting the list again does.
  const watered = item('Zed').element().closest('li');
  if (watered) watered.style.display = 'none';
  const below = document.elementsFromPoint(finger.clientX, finger.clientY);
  expect(below).toContain(button('Water Now: Dora').element());
  tapAt(finger, 2);
  await tap(button('Water Now: Carla'));
  await expect.poll(() => db.outbox.count()).toBe(2);
  const ops = await db.outbox.toArray();
  expect(ops.map(({ type, entity }) => `${type} ${entity}`)).toEqual(['water zed', 'water carla']);
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await acceptNext(db, carla());
});

test('is accessible in both themes', async () => {
  expect(await violationsInBothThemes()).toEqual([]);
});
