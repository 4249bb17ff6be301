/**
 * Opens every page with several days of data and tests that it is accessible in both languages,
 * light and dark, on phone, tablet and desktop. English pages are light and opened by URL, Chinese
 * pages are dark and opened by links. Languages differ only in texts, and schemes only in colors,
 * so these two combinations reveal every fault.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { MENU_PAGES } from './support/pages.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import { LANGUAGES, type Visit, WIDTHS } from './support/visit.ts';

const HEIGHT = 900;
/** The minimum window width at which no column of a table is cut off. */
const LAPTOP = 1280;
/** Pages that need no session. */
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
/** Pages that are not in the menu, with the menu page and the link that lead to each of them. */
const PAGES_BELOW = [
  { path: '/console/keys', link: 'Production' },
  { path: '/console/quick-start', link: 'Claude Code' },
  { path: '/console/quick-start', link: 'Codex' },
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

/** Checks that the page is accessible, and that its content fits each window width. */
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
  await page.setViewportSize({ width: LAPTOP, height: HEIGHT });
  await eventually(
    `no table of ${page.url()} is wider than its card in a window of ${LAPTOP} px`,
    () => page.locator('[data-scrolls="true"]').count(),
    (count) => count === 0,
  );
  expect(await violationsOf(page)).toEqual([]);
}

for (const language of LANGUAGES) {
  const isEnglish = language === 'en';
  const show = isEnglish ? goTo : navigateTo;
  const scheme = isEnglish ? 'light' : 'dark';
  describe(`in ${language === 'zh' ? 'Chinese' : 'English'}, clean:`, () => {
    // All pages use one browser window, because a new window would load the whole console again.
    const cleanPages = (
      open: () => Promise<Visit>,
      pages: readonly (readonly [string, (page: Page) => Promise<void>])[],
    ): void => {
      let visit: Visit;
      beforeAll(async () => {
        visit = await open();
        await goTo(visit.page, '/console/status');
        await visit.page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
      });
      afterAll(() => visit[Symbol.asyncDispose]());
      test.each(pages)('%s', async (_, visitPage) => {
        await visitPage(visit.page);
        await isClean(visit.page);
        expect(visit.problems()).toEqual([]);
      });
    };

    describe('with a session,', () => {
      cleanPages(
        () => installation.visit({ language, scheme }),
        [
          ...MENU_PAGES.map(({ name, path }) => [name, (page: Page) => show(page, path)] as const),
          ...PAGES_BELOW.map(
            ({ path, link }) =>
              [
                `${path}, and there ${link}`,
                async (page: Page) => {
                  await show(page, path);
                  await page.getByRole('link', { name: link, exact: true }).first().click();
                  await page.getByRole('heading', { level: 1, name: link }).waitFor();
                  await settled(page);
                },
              ] as const,
          ),
        ],
      );
    });

    describe('without a session,', () => {
      cleanPages(
        () => installation.visitAsStranger({ language, scheme }),
        OPEN_PAGES.map((path) => [path, (page: Page) => show(page, path)] as const),
      );
    });
  });
}
