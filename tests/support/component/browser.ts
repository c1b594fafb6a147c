import type {} from '@vitest/browser-playwright';
import { onTestFinished } from 'vitest';
import { cdp, page } from 'vitest/browser';

/** Sets the size of the screen until the test ends. */
export async function resizeScreen(width: number, height = 844): Promise<void> {
  onTestFinished(() => page.viewport(390, 844));
  await page.viewport(width, height);
}

/** The media features that every page starts with, set by src/build/test-projects.ts. */
const usual = { 'prefers-reduced-motion': 'reduce' };

/** Sets what media queries see until the test ends. `media`: 'print', or '' for the screen. */
export async function emulateMedia(
  features: Record<string, string>,
  media: 'print' | '' = '',
): Promise<void> {
  onTestFinished(() => setMedia('', usual));
  await setMedia(media, { ...usual, ...features });
}

/** The colour of the theme's custom property with this name, e.g. 'danger', as `getComputedStyle` returns it. */
export function themeColor(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

async function setMedia(media: 'print' | '', features: Record<string, string>): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', {
    media,
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  });
}
