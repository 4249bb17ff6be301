/**
 * Tests the console's frame: the parts that must be visible at each window size, and the rules of
 * DESIGN.md.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { hasFocus, pressOn } from './support/keyboard.ts';
import { send } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

const PHONE = { width: 375, height: 667 };
const LAPTOP = { width: 1280, height: 900 };

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ credit: '78.50 USD' });
  await using visit = await installation.visit();
  const { data } = await (await visit.context.request.get('/admin/v1/accounts')).json();
  const credit = { amount: '1234.5', currency: 'CNY', reason: 'Invoice 7' };
  await send(visit.context, `/admin/v1/accounts/${data[0].id}/credits`, credit);
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Returns whether an element is visible in the window without scrolling. */
async function isInWindow(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  if (box === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

const heightOf = async (element: Locator): Promise<number | undefined> =>
  (await element.boundingBox())?.height;

test('the whole menu of an administrator fits a window of 900 px', async () => {
  await during(installation.visit({ viewport: LAPTOP }), async (page) => {
    await goTo(page, '/console');
    const entries = await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').all();
    expect(entries.length).toBeGreaterThan(15);
    for (const entry of entries) expect(await isInWindow(page, entry)).toBe(true);
  });
});

test('the first Tab reaches the skip link, and no Tab a closed menu', async () => {
  for (const viewport of [PHONE, { ...LAPTOP, height: 500 }]) {
    await during(installation.visit({ viewport }), async (page) => {
      await goTo(page, '/console/admin/audit');
      await page.keyboard.press('Tab');
      expect(await hasFocus(page.getByRole('link', { name: 'Skip to content' }))).toBe(true);
      const menu = page.getByRole('navigation', { name: 'Menu' });
      const button = page.getByRole('button', { name: 'Open menu' });
      if (viewport !== PHONE) return expect(await menu.isVisible()).toBe(true);
      expect(await menu.isVisible()).toBe(false);
      await pressOn(page, button);
      await menu.waitFor();
      const main = page.getByRole('main');
      await main.waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await main.waitFor();
    });
  }
});

test('the header does not cover what gets the focus', async () => {
  const low = { width: LAPTOP.width, height: 500 };
  await during(installation.visit({ viewport: low }), async (page) => {
    await goTo(page, '/console/admin/routes');
    const header = await heightOf(page.getByRole('banner'));
    await page.getByRole('main').getByRole('button').last().focus();
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Shift+Tab');
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(header ?? 0);
    }
  });
});

test('in a low window, the menu shows the entry of the open page', async () => {
  const low = { width: LAPTOP.width, height: 500 };
  await during(installation.visit({ viewport: low }), async (page) => {
    await goTo(page, '/console/admin/branding');
    const entry = page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Settings' });
    expect(await isInWindow(page, entry)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});

test('the pages of the settings have one entry in the menu, and links to each other', async () => {
  await during(installation.visit({ viewport: LAPTOP }), async (page) => {
    await goTo(page, '/console/admin/secrets');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    expect(await menu.locator('a[data-active]').innerText()).toBe('Settings');
    const links = page.getByRole('main').getByRole('navigation', { name: 'Settings' });
    expect(await links.getByRole('link').allInnerTexts()).toEqual([
      'Settings',
      'Secrets',
      'Email',
      'Branding',
      'Configuration history',
    ]);
    await links.getByRole('link', { name: 'Branding' }).click();
    await page.getByRole('heading', { level: 1, name: 'Branding' }).waitFor();
    expect(await links.locator('[aria-current=page]').innerText()).toBe('Branding');
  });
});

for (const viewport of [PHONE, LAPTOP]) {
  test(`both wallets are visible in a header of ${viewport.width} px`, async () => {
    await during(installation.visit({ viewport }), async (page) => {
      await goTo(page, '/console/keys');
      const balance = page.getByRole('banner').getByRole('link', { name: 'Balance' });
      for (const amount of ['$78.50', 'CN¥1,234.50']) {
        expect(await isInWindow(page, balance.getByText(amount))).toBe(true);
      }
    });
  });
}

test('headings end where their figures end, and states stand on the line of their row', async () => {
  await during(installation.visit({ viewport: LAPTOP }), async (page) => {
    await goTo(page, '/console/billing?tab=statements');
    const gaps = await page.getByRole('columnheader').evaluateAll((heads) =>
      heads
        .filter((head) => head.dataset['end'] === 'true')
        .map((head) => {
          const text = document.createRange();
          text.selectNodeContents(head.querySelector('button > span') ?? head);
          const { paddingInlineEnd } = getComputedStyle(head);
          const end = head.getBoundingClientRect().right - parseFloat(paddingInlineEnd);
          return Math.round(end - text.getBoundingClientRect().right);
        }),
    );
    expect(gaps).toEqual(Array(5).fill(0));
    await goTo(page, '/console/keys');
    const row = page.getByRole('row').filter({ hasText: 'Active' });
    const tops = await row.first().evaluate((line) =>
      ['Active', 'Never'].map((word) => {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          if (walker.currentNode.textContent !== word) continue;
          const text = document.createRange();
          text.selectNodeContents(walker.currentNode);
          return text.getBoundingClientRect().top;
        }
        return null;
      }),
    );
    expect(tops[0]).not.toBeNull();
    expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 0))).toBeLessThan(0.6);
  });
});

test('texts and figures have the bundled typeface, in one width per figure', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console');
    const { families, widths } = await page.evaluate(() => {
      const widthOf = (text: string): number => {
        const span = document.createElement('span');
        span.textContent = text;
        document.querySelector('main')?.append(span);
        const { width } = span.getBoundingClientRect();
        span.remove();
        return width;
      };
      const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
      return {
        families: loaded.map(({ family }) => family.replaceAll('"', '')),
        widths: ['1111', '0000', '7777'].map(widthOf),
      };
    });
    // Letters such as é are in a second font file, which loads only if a page has such letters.
    expect(families).toEqual(['Inter']);
    expect(new Set(widths).size).toBe(1);
  });
});

test('controls have 32 px', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys');
    expect(await heightOf(page.getByRole('button', { name: 'Create key' }).first())).toBe(32);
  });
});

describe('language and theme', () => {
  for (const language of LANGUAGES) {
    const say = wordsOf(language);
    test(`are chosen in the person's menu by keyboard, from ${language}`, async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console');
        await pressOn(page, page.getByRole('button', { name: say('Profile menu: {{name}}') }));
        expect(await violationsOf(page)).toEqual([]);
        const dark = page.getByRole('menuitemradio', { name: say('Dark') });
        const items = await page.getByRole('menu').getByRole('menuitemradio').count();
        for (let presses = 0; presses < 2 * items && !(await hasFocus(dark)); presses += 1) {
          await page.keyboard.press('ArrowDown');
        }
        await page.keyboard.press('Enter');
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        const other = language === 'en' ? '简体中文' : 'English';
        await page.getByRole('menuitemradio', { name: other }).click();
        const title = language === 'en' ? '概览' : 'Overview';
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
      });
    });
  }

  test('are chosen by a visitor', async () => {
    await during(installation.visitAsStranger(), async (page) => {
      await goTo(page, '/console/sign-in');
      await page.getByRole('button', { name: 'Language and theme' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    });
  });
});

for (const language of LANGUAGES) {
  const say = wordsOf(language);
  test(`the sign-in says in ${language} what the product is, and links to what is public`, async () => {
    const visit = installation.visitAsStranger({ language, viewport: PHONE });
    await during(visit, async (page) => {
      await goTo(page, '/console/sign-in');
      // The form is above the other content, so that its button is visible on a phone without
      // scrolling.
      expect(await isInWindow(page, page.getByRole('button', { name: say('Sign in') }))).toBe(true);
      await page.getByRole('heading', { name: say('One API for AI models') }).waitFor();
      await page.getByRole('link', { name: say('API reference') }).waitFor();
      await page.getByRole('link', { name: say('Models and prices') }).click();
      await page.getByRole('heading', { level: 1, name: say('Models') }).waitFor();
    });
  });
}
