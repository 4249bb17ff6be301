/**
 * Tests that the main content of each page is inside the window at every width, without scrolling
 * sideways. To add a test, add a row to CASES.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { hiddenPartsOf } from './support/layout.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import { during, type Visit } from './support/visit.ts';

const WIDTHS = [375, 768, 1280, 1920] as const;
const HEIGHT = 900;

/**
 * Waits until no table scrolls sideways, because a table hides columns only after it has measured
 * its width.
 */
const noneScrolls = (page: Page): Promise<number> =>
  eventually(
    'no table is wider than its card',
    () => page.locator('[data-scrolls="true"]').count(),
    (count) => count === 0,
  );

type Case = {
  readonly what: string;
  readonly path: string;
  /** Opens the part of the page that is checked, such as a side sheet. */
  readonly open?: (page: Page) => Promise<void>;
  /** The parts that must be visible, by name. */
  readonly parts: (page: Page) => Readonly<Record<string, Locator>>;
};

const rowWith = (page: Page, text: string): Locator =>
  page.getByRole('row').filter({ hasText: text }).first();
const AMOUNT = /^\u2212?(?:\$|CN¥|¥)[\d,.]+/;
const stateIn = (place: Locator): Locator => place.locator('[data-tone]').first();
const amountIn = (place: Locator): Locator => place.getByText(AMOUNT).first();

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
    what: 'a recent request on the overview: time, state and cost',
    path: '/console',
    parts: (page) => {
      const row = page.getByRole('table', { name: 'Recent requests' }).getByRole('row').nth(1);
      return { time: row.locator('time'), state: stateIn(row), cost: amountIn(row) };
    },
  },
  {
    what: 'the overview: the balance of each wallet',
    path: '/console',
    parts: (page) => {
      const balance = page.getByRole('region', { name: 'Balance' });
      return { dollars: balance.getByText(/^\$/).first(), yuan: balance.getByText(/¥/).first() };
    },
  },
  {
    what: 'a model: the price of each channel',
    path: '/console/models/gen-sonnet-5',
    parts: (page) => {
      const prices = page.getByRole('table', { name: 'Channel' });
      const price = (text: string) => prices.getByText(text, { exact: true }).first();
      return { direct: price('$3.00'), cloud: price('$3.30'), value: price('$1.80') };
    },
  },
  {
    what: 'a comparison: the price of both models',
    path: '/console/models/compare?ids=gen-sonnet-5,gen-v4-pro',
    parts: (page) => {
      const row = rowWith(page, 'Direct · Input');
      return { first: row.getByText('$3.00'), second: row.getByText('$1.32') };
    },
  },
  {
    what: 'billing: the balance',
    path: '/console/billing',
    parts: (page) => ({ balance: amountIn(page.getByRole('main')) }),
  },
  {
    what: 'the ledger of an account: the amount of a charge',
    path: '/console/billing?tab=ledger&kind=settle',
    parts: (page) => ({ amount: amountIn(page.getByRole('table').getByRole('row').nth(1)) }),
  },
  {
    what: 'a statement: its amounts, and the link to print it',
    path: '/console/billing?tab=statements',
    parts: (page) => {
      const row = page.getByRole('table').getByRole('row').nth(1);
      return { amount: amountIn(row), print: row.getByRole('link', { name: /^Print statement/ }) };
    },
  },
  {
    what: 'an account: its name, state and balance',
    path: '/console/admin/accounts',
    parts: (page) => ({
      name: rowWith(page, 'default').getByRole('link', { name: 'default' }),
      state: rowWith(page, 'default').getByText('Active'),
      balance: amountIn(rowWith(page, 'default')),
    }),
  },
  {
    what: 'the setup: the price of a model',
    path: '/console/setup?step=models',
    parts: (page) => ({ output: rowWith(page, 'Gen Sonnet 5').getByText('$15.00') }),
  },
  {
    what: 'a route: its channel and state',
    path: '/console/admin/routes',
    parts: (page) => {
      const row = page.getByRole('table').first().getByRole('row').nth(1);
      return {
        channel: row.getByText(/^(direct|stable|economical)/i).first(),
        state: stateIn(row),
      };
    },
  },
  {
    what: 'a channel: its price',
    path: '/console/admin/routes?tab=prices',
    parts: (page) => ({ price: amountIn(rowWith(page, 'Gen Sonnet 5')) }),
  },
  {
    what: 'a price card: its price',
    path: '/console/admin/cards',
    parts: (page) => ({ price: amountIn(rowWith(page, 'Gen Sonnet 5')) }),
  },
];

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: 6, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

for (const width of WIDTHS) {
  describe(`in a window of ${width} px, inside it:`, () => {
    // All cases use one window, because a new window would load the whole console again.
    let visit: Visit;
    beforeAll(async () => {
      visit = await installation.visit({ viewport: { width, height: HEIGHT } });
      await goTo(visit.page, '/console/profile');
    });
    afterAll(() => visit[Symbol.asyncDispose]());
    for (const { what, path, open, parts } of CASES) {
      test(what, async () => {
        const { page, problems } = visit;
        // Another page is opened first, to close everything that the previous case opened.
        await navigateTo(page, '/console/admin/secrets');
        await navigateTo(page, path);
        await open?.(page);
        const hidden = await Promise.all(
          Object.entries(parts(page)).map(async ([name, part]) =>
            (await hiddenPartsOf(part)).map((why) => `${name}: ${why}`),
          ),
        );
        expect(hidden.flat()).toEqual([]);
        expect(problems()).toEqual([]);
      });
    }
  });
}

test('on a laptop, routes with long names fold a column that a wider window shows', async () => {
  const viewport = { width: 1280, height: HEIGHT };
  await during(installation.visit({ viewport }), async (page) => {
    await page.route('**/admin/v1/routes', async (route) => {
      const response = await route.fetch();
      const { data } = Object(await response.json());
      const failure = { at: '2026-11-22T05:43:00Z', code: 'upstream_failed', cause: null };
      const longer = { upstream: 'anthropic-eu-west-1-reserved', last_failure: failure };
      await route.fulfill({ response, json: { data: [{ ...data[0], ...longer }, ...data] } });
    });
    await goTo(page, '/console/admin/routes');
    const days = page.getByRole('columnheader', { name: 'Last 90 days' });
    await days.waitFor({ state: 'detached' });
    await page.getByText('anthropic-eu-west-1-reserved/').waitFor();
    await noneScrolls(page);
    await page.setViewportSize({ width: 1920, height: HEIGHT });
    await days.waitFor();
    await noneScrolls(page);
  });
});

test.each([
  'admin/routes?tab=prices',
  'admin/cards?tab=rates',
  'billing?tab=ledger',
  'billing?tab=statements',
  'models/gen-sonnet-5',
])('on a laptop, no table of %s is wider than its card', async (path) => {
  const viewport = { width: 1280, height: HEIGHT };
  await during(installation.visit({ viewport }), async (page) => {
    await goTo(page, `/console/${path}`);
    expect(await page.getByRole('table').count()).toBeGreaterThan(0);
    await noneScrolls(page);
  });
});
