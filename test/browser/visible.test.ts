/**
 * What a page is about is inside the window at every width, not only somewhere in a part that
 * scrolls sideways. To add a page, add a row to CASES.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { hiddenPartsOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const WIDTHS = [375, 768, 1280, 1920] as const;
const HEIGHT = 900;

type Case = {
  readonly what: string;
  readonly path: string;
  /** Opens what is checked, such as a sheet. */
  readonly open?: (page: Page) => Promise<void>;
  /** The parts that must be visible, by name. */
  readonly parts: (page: Page) => Readonly<Record<string, Locator>>;
};

const rowWith = (page: Page, text: string): Locator =>
  page.getByRole('row').filter({ hasText: text }).first();
const AMOUNT = /^\u2212?(?:\$|(?:CN)?¥)[\d,.]+/;

const CASES: readonly Case[] = [
  {
    what: 'a request: time, model, state and cost',
    path: '/console/requests?model=gen-sonnet-5&status=completed',
    parts: (page) => ({
      time: rowWith(page, 'gen-sonnet-5').locator('time'),
      model: rowWith(page, 'gen-sonnet-5').getByText('gen-sonnet-5'),
      state: rowWith(page, 'gen-sonnet-5').getByText('Completed'),
      cost: rowWith(page, 'gen-sonnet-5').getByText(AMOUNT),
    }),
  },
  {
    what: 'a bill: the amount of each line and the charge',
    path: '/console/requests?model=gen-sonnet-5&status=completed',
    open: async (page) => {
      await rowWith(page, 'gen-sonnet-5').getByRole('link').first().click();
      await page.getByRole('table', { name: 'Receipt' }).waitFor();
      await settled(page);
    },
    parts: (page) => ({
      amount: page.getByRole('table', { name: 'Receipt' }).locator('tbody td:last-child').first(),
      charge: page.getByRole('dialog').locator('dl').getByText(AMOUNT).last(),
    }),
  },
  {
    what: 'a key: name, state, spend and actions',
    path: '/console/keys',
    parts: (page) => ({
      name: rowWith(page, 'Production').getByRole('link', { name: 'Production' }),
      state: rowWith(page, 'Production').getByText('Active'),
      spend: rowWith(page, 'Production').getByText(AMOUNT).first(),
      actions: rowWith(page, 'Production').getByRole('button', { name: 'Actions for Production' }),
    }),
  },
  {
    what: 'a failed request on the overview: time and state',
    path: '/console',
    parts: (page) => {
      const row = page.getByRole('table', { name: 'Failed requests' }).getByRole('row').nth(1);
      return { time: row.locator('time'), state: row.locator('[data-tone]') };
    },
  },
];

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: 6, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

for (const width of WIDTHS) {
  describe(`in a window of ${width} px, inside it:`, () => {
    for (const { what, path, open, parts } of CASES) {
      test(what, async () => {
        const viewport = { width, height: HEIGHT };
        await during(installation.visit({ viewport }), async (page) => {
          await goTo(page, path);
          await open?.(page);
          const hidden = await Promise.all(
            Object.entries(parts(page)).map(async ([name, part]) =>
              (await hiddenPartsOf(part)).map((why) => `${name}: ${why}`),
            ),
          );
          expect(hidden.flat()).toEqual([]);
        });
      });
    }
  });
}
