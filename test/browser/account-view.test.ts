/**
 * Tests that an administrator can view an account as its owner, in all tabs of the browser. While
 * viewing, the administrator cannot change anything in the account.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { newAccount } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const banner = (page: Page) => page.getByRole('region', { name: 'View of an account' });

test('an administrator sees an account as its owner does, and changes nothing', async () => {
  await newAccount(installation, 'view');
  await during(installation.visit(), async (page, { context, expectRefusal }) => {
    const other = await context.newPage();
    await goTo(other, '/console/keys');
    await goTo(page, '/console/admin/accounts');
    await page.getByRole('link', { name: 'Poor view' }).click();
    await page.getByRole('heading', { name: 'Poor view', level: 1 }).waitFor();
    const account = page.url();
    await page.getByRole('button', { name: 'View as this account' }).click();
    await banner(page).getByText('You are viewing Poor view as its owner').waitFor();
    // The other tab showed the administrator's own account. It must switch to the viewed account
    // automatically.
    await banner(other).getByText('Poor view').waitFor();
    await other.close();
    expect(await page.getByRole('link', { name: 'Accounts', exact: true }).count()).toBe(0);
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      expect([width, await overflowOf(page), await violationsOf(page)]).toEqual([width, [], []]);
    }

    await goTo(page, '/console/keys?new=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').first().fill('of nobody');
    expectRefusal(/^403 POST \/console\/api\/keys$/);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('cannot change anything').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();

    await banner(page).getByRole('button', { name: 'End view' }).click();
    await page.getByRole('button', { name: 'View as this account' }).waitFor();
    expect(page.url()).toBe(account);
    expect(await banner(page).count()).toBe(0);
    await goTo(page, '/console/admin/audit');
    await page.getByText('Account view ended').first().waitFor();
    await page.getByText('Account viewed as its owner').first().waitFor();
  });
}, 180_000);
