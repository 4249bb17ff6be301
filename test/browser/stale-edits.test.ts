/** Tests that no change is lost when two people change the same settings at the same time. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { pressOn, tabTo, typeInto, waitForFocus } from './support/keyboard.ts';
import { overflowOf } from './support/layout.ts';
import { invite, send } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { during, type Visit } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

setDefaultTimeout(180_000);

let installation: Installation;
/** The browser session of another owner of the account, who makes changes through the API. */
let other: Visit;
let accountId: string;

beforeAll(async () => {
  installation = await openInstallation();
  await invite(installation, 'member', 'changed');
  const [guest, host] = [await invite(installation, 'owner', 'other'), installation.visit()];
  other = await installation.visitAsStranger(guest);
  await using administrator = await host;
  const { data } = await (await administrator.context.request.get('/admin/v1/accounts')).json();
  accountId = data[0].id;
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

async function changeBy(
  { context }: Visit,
  method: 'PATCH' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  data: object = {},
): Promise<void> {
  const response = await context.request.fetch(path, { method, data });
  if (!response.ok()) throw new Error(`${response.status()} ${path}: ${await response.text()}`);
}

const settingsAt = async (page: Page, path: string) =>
  await (await page.context().request.get(path)).json();

const choice = (panel: Locator, name: RegExp): Locator => panel.getByRole('radio', { name });

test('different limits of a key are both saved, and what happened to it is said', async () => {
  await during(installation.visit(), async (page, { context, expectRefusal }) => {
    expectRefusal(/^412 (?:PATCH|POST) \/console\/api\/keys\//);
    expectRefusal(/^409 PATCH \/console\/api\/keys\//);
    const { id } = Object(await send(context, '/console/api/keys', { name: 'shared' }));
    const path = `/console/api/keys/${id}`;
    await goTo(page, '/console/keys');
    const edit = async (): Promise<Locator> => {
      await page.getByRole('button', { name: 'Actions for shared' }).click();
      await page.getByRole('menuitem', { name: 'Edit limits' }).click();
      return page.getByRole('dialog');
    };
    const form = await edit();
    await form.getByLabel('Monthly spending limit').fill('20');
    await changeBy(other, 'PATCH', path, { limits: { spend: { day: '5' } } });
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Changes that somebody else saved meanwhile were kept: Daily spending limit.')
      .waitFor();
    expect((await settingsAt(page, path)).limits.spend).toMatchObject({
      day: '5.000000000',
      month: '20.000000000',
    });

    await changeBy(other, 'POST', `${path}/disable`);
    await page.getByRole('button', { name: 'Actions for shared' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('shared was already disabled').waitFor();

    await edit();
    await form.getByLabel('Name').fill('mine');
    await changeBy(other, 'DELETE', path);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Somebody else has removed this item').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('mine');
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });
});

test('the same limit of an account is chosen by keyboard, in Chinese on a phone', async () => {
  const say = wordsOf('zh');
  const viewport = { width: 375, height: 812 };
  const path = `/admin/v1/accounts/${accountId}`;
  await using second = await installation.visit();
  const change = (month: string): Promise<void> =>
    changeBy(second, 'PATCH', path, { limits: { spend: { month } } });
  await during(installation.visit({ language: 'zh', viewport }), async (page, visit) => {
    visit.expectRefusal(/^412 PATCH \/admin\/v1\/accounts\//);
    await goTo(page, `/console/admin/accounts/${accountId}?tab=limits`);
    const month = page.getByRole('textbox', { name: say('Monthly spending limit') });
    const save = page.getByRole('button', { name: say('Save limits') });
    await typeInto(page, month, '20');
    await change('10');
    await pressOn(page, save);
    const panel = page.getByRole('group', {
      name: say('Somebody else changed the same settings'),
    });
    await panel.waitFor();
    await waitForFocus(panel);
    expect(await month.inputValue()).toBe('20');
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);

    await tabTo(page, choice(panel, /^我的值 \$20$/));
    await page.keyboard.press('ArrowDown');
    expect(await choice(panel, /^对方的值 \$10/).isChecked()).toBe(true);
    expect(await month.inputValue()).toMatch(/^10/);
    await panel.getByText(say('Saving keeps their values.')).waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await month.inputValue()).toBe('20');

    await change('30');
    await pressOn(page, save);
    await choice(panel, /^对方的值 \$30/).waitFor();
    await waitForFocus(panel);
    await pressOn(page, save);
    await panel.waitFor({ state: 'hidden' });
    expect((await settingsAt(page, path)).limits.spend.month).toBe('20.000000000');
  });
});

test('different limits of a member are both saved, and of the same one theirs is chosen', async () => {
  await during(installation.visit(), async (page, { expectRefusal }) => {
    expectRefusal(/^412 PUT \/console\/api\/members\//);
    const { data } = await settingsAt(page, '/console/api/members?search=member-changed');
    const path = `/console/api/members/${data[0].id}/limits`;
    const form = page.getByRole('dialog', { name: 'Limits of Grace Hopper' });
    const field = (name: string): Locator => form.getByLabel(`${name} spending limit`);
    const open = async (): Promise<void> => {
      const row = page.getByRole('row').filter({ hasText: 'member-changed@example.com' });
      await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
      await page.getByRole('menuitem', { name: 'Set limit' }).click();
    };
    const change = (spend: object): Promise<void> =>
      changeBy(other, 'PUT', path, { limits: { spend } });
    await goTo(page, '/console/members');
    await open();
    await field('Monthly').fill('20');
    await change({ day: '5' });
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Changes that somebody else saved meanwhile were kept: Daily spending limit.')
      .waitFor();
    await form.waitFor({ state: 'hidden' });

    await open();
    expect(await field('Daily').inputValue()).toBe('5.00');
    await field('Daily').fill('4');
    await change({ day: '3' });
    await form.getByRole('button', { name: 'Save' }).click();
    await choice(form, /^Theirs \$3\.00$/).check();
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    expect((await settingsAt(page, path)).limits.spend).toEqual({
      day: '3.000000000',
      week: null,
      month: '20.000000000',
    });
  });
});

test('the same role is chosen, and of two thresholds all of theirs', async () => {
  await using second = await installation.visit();
  await during(installation.visit({ scheme: 'dark' }), async (page, { expectRefusal }) => {
    expectRefusal(/^412 (?:PATCH \/admin\/v1\/people\/|PUT \/console\/api\/alerts$)/);
    expectRefusal(/^404 PATCH \/admin\/v1\/people\//);
    const { data } = await settingsAt(page, '/admin/v1/people?search=member-changed');
    const person = `/admin/v1/people/${data[0].id}`;
    await goTo(page, '/console/admin/people?search=member-changed');
    const form = page.getByRole('dialog');
    const panel = page.getByRole('group', { name: 'Somebody else changed the same settings' });
    const choose = async (role: string): Promise<void> => {
      await form.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: new RegExp(`^${role}`) }).click();
    };
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Change role or account' }).click();
    };
    await open();
    await choose('Owner');
    await changeBy(second, 'PATCH', person, { role: 'read_only' });
    await form.getByRole('button', { name: 'Save changes' }).click();
    await choice(panel, /^Theirs Reader$/).waitFor();
    expect(await choice(panel, /^Yours Owner$/).isChecked()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.waitFor({ state: 'hidden' });
    expect((await settingsAt(page, person)).role).toBe('owner');

    await open();
    await choose('Member');
    await changeBy(second, 'DELETE', person);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Somebody else has removed this item').waitFor();

    await goTo(page, '/console/billing?tab=alerts');
    const field = (name: string): Locator => page.getByRole('textbox', { name });
    const [usd, cny] = [field('USD threshold'), field('CNY threshold')];
    await usd.fill('7');
    await cny.fill('8');
    await changeBy(other, 'PUT', '/console/api/alerts', { USD: '3', CNY: '0' });
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    await panel.getByText('Saving replaces 2 of their values.').waitFor();
    await panel.getByRole('button', { name: 'Use all of theirs' }).click();
    expect([await usd.inputValue(), await cny.inputValue()]).toEqual(['3.00', '0.00']);
    await panel.getByRole('button', { name: 'Keep all of mine' }).click();
    expect([await usd.inputValue(), await cny.inputValue()]).toEqual(['7', '8']);
    await choice(panel.getByRole('radiogroup', { name: 'CNY' }), /^Theirs/).check();
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    await page.getByText('Alert thresholds saved').waitFor();
    expect(await settingsAt(page, '/console/api/alerts')).toMatchObject({
      USD: '7.000000000',
      CNY: '0.000000000',
    });
  });
});
