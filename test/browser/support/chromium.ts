/** For tests: a real Chromium, the machine's own where there is one. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Under these names distributions install it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ARGUMENTS = [
  // A container's tests may run as root, where Chromium refuses its sandbox; the pages are our own.
  '--no-sandbox',
  // Containers give little shared memory.
  '--disable-dev-shm-usage',
  // Nothing gets out, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

/**
 * Close it when the file's tests are done. Of the package's browser only the file is used: the arguments that
 * come with it are those of a cloud function, one process for all and without the web's security.
 */
export async function launchChromium(): Promise<Browser> {
  const installed = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  const executablePath = installed ?? (await sparticuz.executablePath());
  return await chromium.launch({ executablePath, args: ARGUMENTS });
}
