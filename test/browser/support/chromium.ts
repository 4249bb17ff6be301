/** For tests: a real Chromium, preferably an installed one. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** The names of Chromium in Linux distributions. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ARGUMENTS = [
  // Containers may run as root, which Chromium's sandbox rejects. The browser only opens our own
  // pages.
  '--no-sandbox',
  // Containers have little shared memory.
  '--disable-dev-shm-usage',
  // All other network access is blocked.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];
/** A page of a test lives for seconds, so optimizing its scripts takes more CPU than it saves. */
const UNOPTIMIZED = '--js-flags=--no-turbofan,--no-maglev';

let shared: Promise<Browser> | null = null;

/**
 * Returns the browser of this test process. It starts when first used, and ends with the process,
 * because its connection then breaks. A test closes only its own windows: `closeWindows`.
 */
export async function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium();
  if (!(await shared).isConnected()) shared = launchChromium();
  return await shared;
}

/**
 * Starts a browser, which the caller must close. Without an installed Chromium, the executable of
 * the package is used, but not the package's arguments: they are meant for cloud functions and
 * disable web security.
 * @param isMeasured whether scripts are optimized as in a person's browser. Default: false.
 */
export async function launchChromium(isMeasured = false): Promise<Browser> {
  const installed = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  const executablePath = installed ?? (await sparticuz.executablePath());
  const args = isMeasured ? ARGUMENTS : [...ARGUMENTS, UNOPTIMIZED];
  return await chromium.launch({ executablePath, args });
}
