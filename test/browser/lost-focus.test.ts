/**
 * Tests that a dialog of a form begins at its first field, that the focus returns from a dialog to
 * the menu that opened it, that a button keeps it during its own request, and that it moves to the
 * heading of the page when the focused element disappears.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { hasFocus, pressOn, typeInto, waitForFocus } from './support/keyboard.ts';
import { invite } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.tagName ?? '');

/** Moves to the last item of a menu, which accepts keys only shortly after it has appeared. */
const pressEndUntilFocus = (last: Locator): Promise<boolean> =>
  eventually(
    'the last item has the focus',
    async () => {
      await last.page().keyboard.press('End');
      return await hasFocus(last);
    },
    (has) => has,
  );

test('after a dialog of a row, the focus is on the menu of the row', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/members');
    const actions = page.getByRole('button', { name: 'Actions for Ada Lovelace' });
    await pressOn(page, actions);
    const item = page.getByRole('menuitem', { name: 'Set limit' });
    await waitForFocus(item);
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByRole('dialog').getByLabel('Monthly spending limit'));
    await page.keyboard.press('Escape');
    await waitForFocus(actions);
  });
});

test('after saving a view, the focus is on the menu of views', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys?state=all');
    await pressOn(page, page.getByRole('button', { name: 'Views' }));
    const item = page.getByRole('menuitem', { name: 'Save this view' });
    await pressEndUntilFocus(item);
    await page.keyboard.press('Enter');
    const name = page.getByRole('dialog').getByLabel('Name');
    await waitForFocus(name);
    await name.fill('All keys');
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByRole('button', { name: 'All keys' }));
  });
});

test('a button keeps the focus while it is disabled, and acts once', async () => {
  await during(installation.visit(), async (page, { expectRefusal }) => {
    expectRefusal(/^413 PATCH /);
    await goTo(page, '/console/profile');
    const save = page.getByRole('button', { name: 'Save name' });
    const sent: unknown[] = [];
    const answer = Promise.withResolvers<void>();
    await page.route('**/console/api/profile', async (route) => {
      if (route.request().method() !== 'PATCH') return await route.fallback();
      sent.push(route.request().postData());
      await answer.promise;
      await route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Error</h1>' });
    });
    await page.getByLabel('Name', { exact: true }).fill('Ada Byron');
    await pressOn(page, save);
    await page.locator('button[data-loading]').waitFor();
    expect([await hasFocus(save), await save.isDisabled()]).toEqual([true, true]);
    await page.keyboard.press('Enter');
    answer.resolve();
    await page.getByRole('alert').waitFor();
    expect([await hasFocus(save), sent.length]).toEqual([true, 1]);
    await page.unroute('**/console/api/profile');
  });
});

test('after removing a member and the row with the pressed button', async () => {
  await invite(installation, 'member', 'en');
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/members');
    const actions = page.getByRole('button', { name: 'Actions for Grace Hopper' });
    await pressOn(page, actions);
    await page.getByRole('menu').waitFor();
    // The last item of the menu removes the member.
    const remove = page.getByRole('menuitem').last();
    await pressEndUntilFocus(remove);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const word = (await dialog.getByText(/^Type .+ to confirm$/).innerText()).split(' ')[1] ?? '';
    await typeInto(page, dialog.getByRole('textbox'), word);
    await pressOn(page, dialog.getByRole('button', { name: 'Remove' }));
    await actions.waitFor({ state: 'detached' });
    await eventually(
      'the heading has the focus',
      () => focused(page),
      (tag) => tag === 'H1',
    );
    expect(await focused(page)).toBe('H1');
  });
});
