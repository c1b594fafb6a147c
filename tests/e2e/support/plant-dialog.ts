import type { Locator, Page } from 'playwright';
import type { AppServer } from './app-server.ts';
import { demo } from './garden.ts';

export function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Opens a plant of the dashboard by its card. */
export async function openPlant(page: Page, nickname: string): Promise<void> {
  await page.getByRole('link', { name: `Details of ${nickname}` }).click();
  await dialog(page).getByRole('heading', { name: nickname }).waitFor();
}

export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
}

/** The device's database no longer gives its readings, until the page gets the event 'repaired'. */
export async function breakReadings(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function broken(query) {
      if (this.name === 'readings') throw new DOMException('The disk is gone', 'UnknownError');
      return get.call(this, query);
    };
    window.addEventListener('repaired', () => {
      IDBObjectStore.prototype.get = get;
    });
  });
}

export async function idOf(server: AppServer, nickname: string): Promise<string> {
  const [row] = await server.query<{ id: string }>('SELECT id FROM plants WHERE nickname = $1', [
    nickname,
  ]);
  if (!row) throw new Error(`no plant ${nickname}`);
  return row.id;
}

/** A plant of the demo account that no simulated device reports for. Answers its id. */
export async function addQuietPlant(server: AppServer, nickname: string): Promise<string> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { access_token: string; id: string };
  };
  const { access_token } = await post('/auth/login', {
    username_or_email: demo.email,
    password: demo.password,
  });
  const plant = { nickname, plant_name: 'Test Fern', species: 'Fern', watering_frequency: 3 };
  return (await post('/api/plants', plant, access_token)).id;
}

/** How many pixels of a chart have the colour of a token, within what antialiasing does to it. */
export async function inkedPixels(chart: Locator, token: string): Promise<number> {
  return (await ink(chart, token)).length;
}

/** On how much of a chart's width the colour of a token stands, 0–1. */
export async function inkedWidth(chart: Locator, token: string): Promise<number> {
  const width = await chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width);
  return new Set((await ink(chart, token)).map((place) => place % width)).size / width;
}

/** The places of the pixels in the canvas, row by row. */
async function ink(chart: Locator, token: string): Promise<number[]> {
  return chart.locator('canvas').evaluate((canvas: HTMLCanvasElement, name) => {
    const probe = document.createElement('canvas').getContext('2d');
    const own = canvas.getContext('2d');
    if (!probe || !own) return [];
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
    probe.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data;
    const { data } = own.getImageData(0, 0, canvas.width, canvas.height);
    const places: number[] = [];
    for (let i = 0; i < data.length; i += 4) {
      const distance =
        Math.abs((data[i] ?? 0) - r) +
        Math.abs((data[i + 1] ?? 0) - g) +
        Math.abs((data[i + 2] ?? 0) - b);
      if (distance < 12 && data[i + 3] === 255) places.push(i / 4);
    }
    return places;
  }, token);
}
