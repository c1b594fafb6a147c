import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterEach } from 'vitest';
import { openPhones, type Phone } from './browser.ts';
import { rowsOf } from './device-db.ts';

/**
 * A Vitest setup file: when a test fails, prints its errors and the state of every open phone, to explain failures that
 * cannot be reproduced. Vitest itself prints errors only at the end of a run, and nothing about the page.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const errors = (task.result.errors ?? []).map(({ stack, message }) => stack ?? message);
  const phones = await Promise.all([...openPhones].map(report));
  console.error(['Test failed', ...errors, ...phones].join('\n\n'));
});

async function report(phone: Phone): Promise<string> {
  const pages = await Promise.all(phone.context.pages().map(reportPage));
  return [
    `Uncaught errors: ${JSON.stringify(phone.problems)}`,
    `Latest events:\n${phone.events.join('\n')}`,
    ...pages,
  ].join('\n\n');
}

/** Enough for the top of the dashboard and an open dialog. */
const maxLength = 6_000;

async function reportPage(page: Page): Promise<string> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-failure-')), 'page.png');
  const [content, outbox, workers, screenshot] = await Promise.all([
    orError(page.ariaSnapshot().then((shown) => shown.slice(0, maxLength))),
    orError(rowsOf(page, 'outbox').then((rows) => JSON.stringify(rows))),
    orError(serviceWorkersOf(page)),
    orError(page.screenshot({ path: file }).then(() => file)),
  ]);
  return `Page ${page.url()}\n\nScreenshot: ${screenshot}\n\nOutbox: ${outbox}\n\nService workers: ${workers}\n\nContent:\n${content}`;
}

/** The states of the versions of the service worker. */
function serviceWorkersOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker?.getRegistration();
    const { installing, waiting, active } = registration ?? {};
    return JSON.stringify([installing?.state, waiting?.state, active?.state]);
  });
}

/** The value, or the error if there is one or if the page does not respond. */
async function orError(value: Promise<string>): Promise<string> {
  const timeout = new Promise<string>((resolve) => {
    setTimeout(resolve, 5_000, 'no response within 5 s');
  });
  return Promise.race([value.catch(String), timeout]);
}
