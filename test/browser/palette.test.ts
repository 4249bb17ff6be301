/** The command palette loses no key, finds what administrators look for, and returns the focus. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { hasFocus } from './support/keyboard.ts';
import { goTo } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('letters arrive whole that are typed while the palette is still loading', async () => {
  await during(installation.visit(), async (page) => {
    const arrival = Promise.withResolvers<void>();
    await page.route('**/console/assets/command-palette-*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await goTo(page, '/console');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bill');
    arrival.resolve();
    await page.keyboard.type('ing');
    const field = page.getByRole('combobox');
    await field.waitFor();
    await eventually(
      'the word',
      () => field.inputValue(),
      (typed) => typed === 'billing',
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/billing');
  });
});

test('Escape gives the focus back to where it was, also the first time', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/billing');
    const button = page.locator('main').getByRole('textbox').first();
    await button.focus();
    for (const opening of ['first', 'second']) {
      await page.keyboard.press('Control+k');
      await eventually(
        opening,
        () => hasFocus(page.getByRole('combobox')),
        (has) => has,
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect([opening, await hasFocus(button)]).toEqual([opening, true]);
    }
  });
});

test('administrators find accounts by a part of their name', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('defau');
    await page.getByRole('group', { name: 'Accounts' }).getByRole('option').first().click();
    await page.waitForURL('**/console/admin/accounts/acc_*');
  });
});
