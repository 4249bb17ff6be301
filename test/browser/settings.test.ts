/** Tests that an operator can use the browser to change the settings that are in the database. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { BrowserContext } from 'playwright-core';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const SETTINGS = '/console/admin/settings';
const WIDE = [375, 768, 1280, 1920] as const;

let installation: Installation;
beforeAll(async () => {
  const config = shippedConfig().replace('config: file     ', 'config: database ');
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const configOf = async (context: BrowserContext) => {
  const answer = await context.request.get('/admin/v1/config');
  return Object(await answer.json());
};

test('a wrong value is refused at its field, and two changes are one revision', async () => {
  await during(installation.visit(), async (page, { context }) => {
    const { revision: before } = await configOf(context);
    await goTo(page, SETTINGS);
    const drain = page.getByRole('textbox', { name: 'Time to finish requests on shutdown' });
    await drain.fill('20x');
    await page.getByRole('textbox', { name: 'Exchange rate USD to CNY' }).fill('7.2000');
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('write a duration such as 15s').waitFor();
    await waitForFocus(drain);
    expect(await drain.getAttribute('aria-invalid')).toBe('true');
    expect((await configOf(context)).revision).toBe(before);
    await drain.fill('20s');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    const changes = await dialog.getByRole('table', { name: 'Changes' }).innerText();
    for (const part of ['fx.USD/CNY', '"7.1000"', '"7.2000"', '20s']) {
      expect(changes).toContain(part);
    }
    await dialog.getByText('These settings take effect when the nodes restart: limits.').waitFor();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('New rate of the bank');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { revision, document } = await configOf(context);
    expect(revision).toBe(before + 1);
    expect(document).toMatchObject({ fx: { 'USD/CNY': '7.2000' }, limits: { drain: '20s' } });
    await page.getByText('1 changed setting waits for a restart of this node.').waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByText('Waits for a restart', { exact: true }).count()).toBe(1);
    const reset = 'Reset to default: Time to finish requests on shutdown';
    await page.getByRole('button', { name: reset }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Waits for a restart', { exact: true }).waitFor({ state: 'hidden' });
    expect((await configOf(context)).document.limits).toBeUndefined();
  });
});

test('a saved change is seen on the pages that showed the old value', async () => {
  await during(installation.visit(), async (page) => {
    const model = '/console/models/gen-v4-pro';
    await goTo(page, model);
    await page.getByText(/^CNY, 1 USD = 7\.[12]/).waitFor();
    await navigateTo(page, SETTINGS);
    await page.getByRole('textbox', { name: 'Exchange rate USD to CNY' }).fill('7.3000');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await navigateTo(page, model);
    await page.getByText(/^CNY, 1 USD = 7\.3/).waitFor();
  });
});

test("somebody else's change is shown, and the own edits stay", async () => {
  await during(installation.visit(), async (page, { context, expectRefusal }) => {
    expectRefusal(/^412 PATCH/);
    await goTo(page, SETTINGS);
    await page.getByRole('combobox', { name: 'Sign-up' }).click();
    await page.getByRole('option', { name: 'Anyone' }).click();
    const { revision } = await configOf(context);
    const theirs = await context.request.patch('/admin/v1/config', {
      data: { document: { health: { probe: false } } },
      headers: { 'if-match': `"${revision}"` },
    });
    expect(theirs.status()).toBe(200);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText(/You saved revision \d+ yourself/).waitFor();
    const probe = page.getByRole('switch', { name: 'Probe failed routes' });
    await probe.and(page.locator(':not(:checked)')).waitFor();
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { document } = await configOf(context);
    expect(document.console).toEqual({ sign_up: 'open' });
    expect(document.health).toEqual({ probe: false });
  });
});

test('leaving with unsaved settings asks first', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, SETTINGS);
    await page.getByRole('textbox', { name: 'Connect timeout' }).fill('9s');
    await page.getByRole('link', { name: 'Audit log' }).click();
    const question = page.getByRole('dialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByRole('textbox', { name: 'Connect timeout' }).inputValue()).toBe('9s');
  });
});

test('the bar of unsaved settings never covers the field that has the focus', async () => {
  await during(installation.visit({ viewport: { width: 1280, height: 700 } }), async (page) => {
    await goTo(page, SETTINGS);
    await page.getByRole('textbox', { name: 'Connect timeout' }).fill('9s');
    const bar = page.getByText('1 unsaved change');
    for (let presses = 0; presses < 16; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.locator(':focus').boundingBox();
      const { y = 0 } = (await bar.boundingBox()) ?? {};
      expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(y);
    }
  });
});

test('switches and dialogs are visible in the high contrast mode of Windows', async () => {
  await during(installation.visit(), async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await goTo(page, SETTINGS);
    const track = page.locator('.mantine-Switch-track').first();
    const styleOf = (name: string) =>
      track.evaluate((element, property) => {
        const { firstElementChild: thumb } = element;
        return [element, thumb].map(
          (each) => each && Reflect.get(getComputedStyle(each), property),
        );
      }, name);
    expect((await styleOf('borderTopWidth'))[0]).toBe('1px');
    const [behind, thumb] = await styleOf('backgroundColor');
    expect(thumb).not.toBe(behind);
    await page.getByRole('textbox', { name: 'Connect timeout' }).fill('9s');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    expect(await dialog.evaluate((each) => getComputedStyle(each).borderTopWidth)).toBe('1px');
    await page.emulateMedia({ forcedColors: null });
  });
});

for (const language of ['en', 'zh'] as const) {
  test(`the forms are accessible and fit every width (${language})`, async () => {
    await during(installation.visit({ language }), async (page) => {
      await goTo(page, SETTINGS);
      await page.getByRole('textbox').nth(2).fill('9s');
      for (const width of WIDE) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        expect(await overflowOf(page)).toEqual([]);
      }
      expect(await violationsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await settled(page);
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}
