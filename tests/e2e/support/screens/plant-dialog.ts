import type { Locator, Page } from 'playwright';
import type { AppServer } from '../server/app-server.ts';
import { postAsDemo } from '../server/demo-api.ts';

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

/** Makes every read of readings from the device's database fail. */
export async function breakReadings(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function broken(query) {
      if (this.name === 'readings') throw new DOMException('The disk is gone', 'UnknownError');
      return get.call(this, query);
    };
  });
}

export async function idOf(server: AppServer, nickname: string): Promise<string> {
  const [row] = await server.query<{ id: string }>('SELECT id FROM plants WHERE nickname = $1', [
    nickname,
  ]);
  if (!row) throw new Error(`no plant ${nickname}`);
  return row.id;
}

/** Adds a plant without a device to the demo account, so no simulated device reports for it. Returns its id. */
export async function addQuietPlant(server: AppServer, nickname: string): Promise<string> {
  const plant = { nickname, plant_name: 'Test Fern', species: 'Fern', watering_frequency: 3 };
  return (await postAsDemo(server, '/api/plants', plant)).id;
}
