/**
 * Every page that the menu lists, on books with a past: clean in both languages, in light and dark, on a
 * phone, a tablet and a desk.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventually } from '../eventually.ts';
import { violationsOf } from './accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './installation.ts';
import { overflowOf } from './layout.ts';
import { MENU_PAGES } from './pages.ts';
import { goTo, settled } from './settled.ts';
import { during, LANGUAGES, SCHEMES, WIDTHS } from './visit.ts';

const HEIGHT = 900;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: 9, seed: 7 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('the menu lists the pages', () => {
  expect(MENU_PAGES.length).toBeGreaterThan(15);
});

for (const language of LANGUAGES) {
  describe(`in ${language === 'zh' ? 'Chinese' : 'English'}`, () => {
    for (const { name, path } of MENU_PAGES) {
      test(`${name} has its heading, fits every width, and can be read by everybody`, async () => {
        await during(installation.visit({ language }), async (page) => {
          await goTo(page, path);
          expect(await page.title()).toEndWith(' · Modelgate');
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: HEIGHT });
            await eventually(
              `${name} fits ${width} px`,
              () => overflowOf(page),
              (wide) => wide.length === 0,
            );
          }
          for (const scheme of SCHEMES) {
            await page.emulateMedia({ colorScheme: scheme });
            await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
          await settled(page);
            // What is around the page is the same everywhere, and takes as long to look at.
            const part = scheme === 'light' ? 'body' : 'main';
            expect([scheme, await violationsOf(page, part)]).toEqual([scheme, []]);
          }
        });
      });
    }
  });
}
