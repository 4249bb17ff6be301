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

/** Close it when the file's tests are done. */
export async function launchChromium(): Promise<Browser> {
  const installed = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  return installed === undefined
    ? await chromium.launch({
        executablePath: await sparticuz.executablePath(),
        args: [...sparticuz.args, ...ARGUMENTS],
      })
    : await chromium.launch({ executablePath: installed, args: ARGUMENTS });
}
