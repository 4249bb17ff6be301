/** For tests: a real Chromium, preferably an installed one. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** The names of Chromium's executable in Linux distributions. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ARGUMENTS = [
  // Containers may run as root, which Chromium's sandbox rejects. The browser opens only the
  // console's pages.
  '--no-sandbox',
  // Containers have little shared memory, so the browser uses files instead.
  '--disable-dev-shm-usage',
  // Host names other than localhost are not resolved.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];
/**
 * Turns off optimizing compilers. A test's page lives for seconds, so optimizing its scripts takes
 * more CPU than it saves.
 */
const UNOPTIMIZED = '--js-flags=--no-turbofan,--no-maglev';

let shared: Promise<Browser> | null = null;

/**
 * Returns the browser that all tests of this process share. It starts when first used, and exits
 * when this process disconnects from it. A test closes only its own windows, with `closeWindows`.
 */
export async function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium();
  if (!(await shared).isConnected()) shared = launchChromium();
  return await shared;
}

/**
 * Starts a browser, which the caller must close. If no Chromium is installed, uses the executable
 * of the package `@sparticuz/chromium`. Does not use that package's arguments, because they are
 * meant for cloud functions and disable web security.
 * @param isMeasured whether scripts are optimized as in a person's browser. Default: false.
 */
export async function launchChromium(isMeasured = false): Promise<Browser> {
  const installed = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  const executablePath = installed ?? (await sparticuz.executablePath());
  const args = isMeasured ? ARGUMENTS : [...ARGUMENTS, UNOPTIMIZED];
  return await chromium.launch({ executablePath, args });
}
