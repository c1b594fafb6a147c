import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { chromium } from 'playwright';

/** Desktop features that only cost time here: address bar popups that are web pages, and a spare renderer process. */
const idleFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

/**
 * What Playwright 1.65 disables, without features of Windows and Edge. Repeated because Chromium obeys only the last
 * --disable-features of its command line. Compare it with chromiumSwitches.ts of Playwright after an update.
 */
const playwrightDisables = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** No sandbox, because CI runs as root; no background requests to the network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...playwrightDisables, ...idleFeatures].join(',')}`,
] as const;

/**
 * For tests, not for measurements. With all cores busy, parallel garbage collection makes tests take 4 % more CPU.
 * Compiling optimized code makes them take 3 % more, because it costs more than it saves.
 */
export const chromiumTestArgs = [
  ...chromiumArgs,
  '--js-flags=--single-threaded-gc --no-opt --no-maglev',
] as const;

const complete = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const headlessShell = '/usr/bin/chromium-headless-shell';

/**
 * The path of CHROMIUM_PATH or of a complete Chromium or Chrome; installs one if there is none. Throws with instructions
 * if that fails too.
 */
export function findChromium(): string {
  const found = installed();
  if (found) return found;
  console.log('No Chromium found; installing one…');
  for (const [command, ...args] of installers()) {
    try {
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    } catch {
      continue;
    }
    const fetched = installed();
    if (fetched) return fetched;
  }
  throw new Error(
    'The browser tests need Chromium. Install it with your package manager, or set CHROMIUM_PATH.',
  );
}

/**
 * The path of Chromium's headless shell, for most tests: the same engine without the desktop browser, which saves a
 * sixth of a test's CPU. It has no notifications, background sync, installation or site settings. With CHROMIUM_PATH,
 * or without a shell, the path of findChromium().
 */
export function findHeadlessShell(): string {
  const found = findChromium();
  return process.env.CHROMIUM_PATH || !fs.existsSync(headlessShell) ? found : headlessShell;
}

function installed(): string | undefined {
  const places = [process.env.CHROMIUM_PATH, ...complete, chromium.executablePath()];
  return places.find((place) => place !== undefined && fs.existsSync(place));
}

/** On Debian as root, Debian's packages are tried first, because Playwright's download host is often unreachable. */
function installers(): [string, ...string[]][] {
  const isDebianRoot = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get');
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  const debian: [string, ...string[]][] = [
    ['apt-get', 'update', '-qq'],
    ['apt-get', ...install, 'chromium-headless-shell'],
    // Older releases have no package of the shell.
    ['apt-get', ...install],
  ];
  return [...(isDebianRoot ? debian : []), ['npx', 'playwright', 'install', 'chromium']];
}
