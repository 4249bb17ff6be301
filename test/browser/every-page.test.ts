/**
 * Every page that the menu lists, on books with a past: clean in both languages, in light and dark, on a
 * phone, a tablet and a desk.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { type GatewayProcess, shippedConfig } from '../gateway-process.ts';
import { violationsOf } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { startConsoleGateway } from './console-gateway.ts';
import { overflowOf } from './layout.ts';
import { MENU_PAGES } from './pages.ts';
import { writePast } from './past.ts';
import { setUp } from './people.ts';
import { goTo, settled } from './settled.ts';
import { LANGUAGES, openVisit, SCHEMES, WIDTHS } from './visit.ts';

const HEIGHT = 900;
const PAST = { requests: 600, days: 9, seed: 7 };

let browser: Browser;
let gateway: GatewayProcess;
let signedInAs: Awaited<ReturnType<BrowserContext['storageState']>>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  const configPath = join(folder, 'modelgate.yaml');
  writeFileSync(configPath, shippedConfig());
  await writePast({ folder, configPath, ...PAST });
  [browser, gateway] = await Promise.all([launchChromium(), startConsoleGateway({ folder })]);
  await using visit = await openVisit(browser, gateway.url);
  await setUp(visit.context, gateway);
  signedInAs = await visit.context.storageState();
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

test('the menu lists the pages', () => {
  expect(MENU_PAGES.length).toBeGreaterThan(15);
});

for (const language of LANGUAGES) {
  describe(`in ${language === 'zh' ? 'Chinese' : 'English'}`, () => {
    for (const { name, path } of MENU_PAGES) {
      test(`${name} has its heading, fits every width, and can be read by everybody`, async () => {
        await using visit = await openVisit(browser, gateway.url, { language, signedInAs });
        const { page } = visit;
        await goTo(page, path);
        expect(await page.title()).toEndWith(' · Modelgate');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          await settled(page);
          expect([width, await overflowOf(page)]).toEqual([width, []]);
        }
        for (const scheme of SCHEMES) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
          expect([scheme, await violationsOf(page)]).toEqual([scheme, []]);
        }
      });
    }
  });
}
