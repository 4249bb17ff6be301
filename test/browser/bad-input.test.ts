/** Bad addresses, a lost network, a slow gateway and an upgrade: nothing is lost, and it is said. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 300, days: 5, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const banner = (page: Page) => page.getByRole('region', { name: 'Connection' });

/** Addresses that were mistyped, are of an older version, or were invented. */
const BAD_ADDRESSES = [
  '/console/usage?range=zzz',
  '/console/usage?range=custom',
  '/console/usage?from=abc&to=2026-02-30',
  '/console/usage?from=0000-01-01&to=9999-12-31',
  '/console/requests?range=zzz&min_cost=a&status=what&outcome=none',
  '/console/requests?from=2026-11-21&to=2026-11-01',
  '/console/models?max=abc&sort=constructor&view=__proto__',
  '/console/models/compare?ids=,,,&ids=x',
  '/console/models/%E0%A4%A',
  '/console/keys?state=toString',
  '/console/billing?tab=constructor',
  '/console/billing?tab=ledger&kind=gift&from=2026-13-01',
  '/console/quick-start?model=nothing&channel=none&stream=1',
  '/console/playground?model=nothing',
  '/console/admin/people?tab=__proto__',
  '/console/admin/audit?from=yesterday&to=%F0%9F%98%80',
  '/console/admin/routes?tab=none&trouble=yes',
  '/console/admin/cards?tab=1&channel=nothing',
];

test('a wrong address shows the page without its wrong parts', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^404 GET \/console\/models\//);
    for (const address of BAD_ADDRESSES) {
      await goTo(page, address);
      expect([address, await page.locator('h1').allInnerTexts()]).toEqual([
        address,
        expect.not.arrayContaining(['This page could not be shown']),
      ]);
      expect([address, await page.getByRole('alert').allInnerTexts()]).toEqual([address, []]);
    }
  });
});

describe('without a network', () => {
  test('what was loaded stays, and the rest follows once the network is back', async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.forget((problem) => /net::ERR_|preload/.test(problem));
      await goTo(page, '/console/usage');
      await navigateTo(page, '/console/billing?tab=ledger');
      await navigateTo(page, '/console/keys');
      await page.getByRole('link', { name: 'Production' }).waitFor();
      await page.context().setOffline(true);
      await banner(page).getByText('Cannot reach the gateway').waitFor();
      await page.getByRole('link', { name: 'Production' }).waitFor();
      // A page whose data was never loaded explains itself. It does not wait without a word.
      await page.getByRole('link', { name: 'Billing' }).click();
      await page.getByRole('alert').getByText('Cannot reach the gateway').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.context().setOffline(false);
      await page.getByText('Held for running requests').first().waitFor();
      await banner(page).getByText('Cannot reach').waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
    });
  });
});

test('a slow answer leaves its space empty, then shows a placeholder of its shape', async () => {
  await during(installation.visit(), async (page) => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/console/api/statements', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto('/console/billing?tab=statements');
    const placeholder = page.getByRole('tabpanel').locator('.mantine-Skeleton-root').first();
    await placeholder.waitFor();
    const { delay, name } = await placeholder.evaluate((element) => {
      const { animationDelay, animationName } = getComputedStyle(element);
      return { delay: animationDelay, name: animationName };
    });
    expect([delay, name]).toEqual(['0.15s', 'skeleton-appears']);
    gate.resolve();
    await settled(page);
    await page.getByRole('table').first().waitFor();
  });
});

describe('after an upgrade of the gateway', () => {
  /** From now on, the gateway serves a console with other file names. */
  const upgrade = async (page: Page): Promise<void> => {
    await page.route('**/console/', async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replaceAll(/\/assets\/[\w-]+\.js/g, '/assets/new.js');
      await route.fulfill({ response, body: html });
    });
    await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
  };

  test('a page whose file is gone says so, and one press loads the new one', async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.expectRefusal(/^404 GET \/console\/assets\//);
      visit.forget((problem) =>
        /console was upgraded|dynamically imported module|preload|MIME type/.test(problem),
      );
      await goTo(page, '/console/keys');
      await upgrade(page);
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('alert').getByText('The gateway was upgraded').waitFor();
      await banner(page).getByText('The gateway was upgraded').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.unrouteAll();
      await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    });
  });
});
