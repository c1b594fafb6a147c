import fs from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { dialogScenes } from './dialog-scenes.ts';
import { frameScenes } from './frame-scenes.ts';
import { gardenScenes } from './garden-scenes.ts';
import { historyScenes } from './history-scenes.ts';
import { publicScenes } from './public-scenes.ts';
import { settingsScenes } from './settings-scenes.ts';
import { openSceneBrowser, type SceneBrowser } from './support/scene-browser.ts';
import { folder, hasScreen, takePictures, writeIndex } from './support/take-pictures.ts';

let sceneBrowser: SceneBrowser;
beforeAll(async () => {
  fs.mkdirSync(folder, { recursive: true });
  sceneBrowser = await openSceneBrowser();
});
afterAll(async () => {
  writeIndex();
  await sceneBrowser.close();
});

const scenes = [
  ...publicScenes,
  ...gardenScenes,
  ...dialogScenes,
  ...historyScenes,
  ...frameScenes,
  ...settingsScenes,
];

test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
  const page = await sceneBrowser.openPage(scene.who);
  if (await hasScreen(scene, page)) await takePictures(scene, page);
  else console.log(`${scene.path} leads elsewhere: no picture of ${scene.name}`);
  await page.close();
});
