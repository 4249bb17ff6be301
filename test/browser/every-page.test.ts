/**
 * Opens every page with months of data: accessible in both languages, light and dark, on a phone,
 * tablet and desktop.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { MENU_PAGES } from './support/pages.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES, SCHEMES, WIDTHS } from './support/visit.ts';

const HEIGHT = 900;
/** For visitors without a session. */
const OPEN_PAGES = [
  '/console/sign-in',
  '/console/sign-up',
  '/console/invitation',
  '/console/password-reset',
  '/console/models',
  '/console/models/gen-sonnet-5',
  '/console/models/compare?ids=gen-sonnet-5,gen-v4-pro',
  '/console/status',
  '/console/reference',
  '/console/nowhere',
];
/** Pages below the menu's pages, reached by a link. */
const PAGES_BELOW = [
  { path: '/console/keys', link: 'Production' },
  { path: '/console/admin/accounts', link: 'default' },
];

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: 9, seed: 7 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('the menu lists the pages', () => {
  expect(MENU_PAGES.length).toBeGreaterThan(15);
});

/** Fits every width and meets accessibility rules. */
async function isClean(page: Page): Promise<void> {
  expect(await page.title()).toContain('Modelgate');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await eventually(
      `${page.url()} fits ${width} px`,
      () => overflowOf(page),
      (wide) => wide.length === 0,
    );
  }
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    await settled(page);
    // The frame is the same on every page and slow to check.
    const part = scheme === 'light' ? 'body' : 'main';
    expect([scheme, await violationsOf(page, part)]).toEqual([scheme, []]);
  }
}

for (const language of LANGUAGES) {
  describe(`in ${language === 'zh' ? 'Chinese' : 'English'}, clean:`, () => {
    for (const { name, path } of MENU_PAGES) {
      test(name, async () => {
        await during(installation.visit({ language }), async (page) => {
          await goTo(page, path);
          await isClean(page);
        });
      });
    }

    for (const { path, link } of PAGES_BELOW) {
      test(`${path}, and there ${link}`, async () => {
        await during(installation.visit({ language }), async (page) => {
          await goTo(page, path);
          await page.getByRole('link', { name: link, exact: true }).first().click();
          await page.getByRole('heading', { level: 1, name: link }).waitFor();
          await settled(page);
          await isClean(page);
        });
      });
    }

    for (const path of OPEN_PAGES) {
      test(`${path} without a session`, async () => {
        await during(installation.visitAsStranger({ language }), async (page) => {
          await goTo(page, path);
          await isClean(page);
        });
      });
    }
  });
}
