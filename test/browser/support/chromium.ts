/** For tests: a real Chromium; an installed one is preferred. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Its names in Linux distributions. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ARGUMENTS = [
  // Containers may run as root, where Chromium rejects its sandbox; it only opens our own pages.
  '--no-sandbox',
  // Containers have little shared memory.
  '--disable-dev-shm-usage',
  // Blocks all other network access.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

/**
 * Close it after the tests. Only the executable of the package is used: its arguments are meant for
 * cloud functions, with a single process and without web security.
 */
export async function launchChromium(): Promise<Browser> {
  const installed = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  const executablePath = installed ?? (await sparticuz.executablePath());
  return await chromium.launch({ executablePath, args: ARGUMENTS });
}
