/** Tests selling under the operator's own name, logo, color and texts, set in the browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

setDefaultTimeout(180_000);
const BRANDING = '/console/admin/branding';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><script>window.ran = true</script><circle cx="12" cy="12" r="11" fill="#0f766e"/></svg>';

let installation: Installation;
beforeAll(async () => {
  const config = shippedConfig().replace('config: file     ', 'config: database ');
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('a brand is set without a shell, and everybody sees it', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, BRANDING);
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme AI');
    await page
      .locator('input[type="file"]')
      .setInputFiles([{ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(SVG) }]);
    const accent = page.getByRole('textbox', { name: 'Accent color', exact: true });
    await accent.fill('#ffcc00');
    await page.getByRole('textbox', { name: 'Support link' }).fill('https://help.acme.example');
    await page
      .getByRole('textbox', { name: 'Terms of service (English)' })
      .fill('## Rules\n\nBe kind.');
    await page.getByRole('textbox', { name: 'Text (English)' }).fill('Maintenance on Sunday');
    await page.getByRole('textbox', { name: 'Text (Chinese)' }).fill('周日维护');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('has a contrast of 1.5:1 with the white text on buttons').waitFor();
    await waitForFocus(accent);
    await accent.fill('#0f766e');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    await dialog.getByText('Acme AI').waitFor();
    const reloaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await reloaded;
    await settled(page);
    expect(await page.title()).toBe('Branding · Acme AI');
    await page.getByRole('link', { name: 'Acme AI' }).waitFor();
    const button = page.getByRole('button', { name: 'Review changes' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme');
    const shown = await button.evaluate((each) => getComputedStyle(each).backgroundColor);
    expect(shown).toBe('rgb(15, 118, 110)');
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme AI');
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();
    await page.getByRole('button', { name: 'Profile menu: Ada Lovelace' }).click();
    const support = page.getByRole('menuitem', { name: 'Support' });
    expect(await support.getAttribute('href')).toBe('https://help.acme.example');
    // Escape is pressed on the item, because the menu gets the focus only after it is shown.
    await support.press('Escape');
    await support.waitFor({ state: 'hidden' });
    for (const width of [375, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      expect(await overflowOf(page)).toEqual([]);
      if (process.env['SHOTS'])
        await page.screenshot({ path: `/tmp/brand-${width}.png`, fullPage: true });
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      expect(await violationsOf(page)).toEqual([]);
    }
    if (process.env['SHOTS'])
      await page.screenshot({ path: '/tmp/brand-dark.png', fullPage: true });
    await page.getByRole('button', { name: 'Hide announcement' }).click();
    await page.reload();
    await settled(page);
    expect(await page.getByText('Maintenance on Sunday').count()).toBe(0);
  });
  await during(installation.visitAsStranger({ language: 'zh' }), async (page) => {
    await goTo(page, '/console/sign-in');
    await page.getByRole('region', { name: '公告' }).getByText('周日维护').waitFor();
    if (process.env['SHOTS']) await page.screenshot({ path: '/tmp/brand-signin.png' });
    await page.getByRole('contentinfo').getByRole('link', { name: '服务条款' }).click();
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
    expect(await page.title()).toBe('服务条款 · Acme AI');
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    if (process.env['SHOTS']) await page.screenshot({ path: '/tmp/brand-terms.png' });
  });
});

test("a brand keeps somebody else's change of another field", async () => {
  const { url, adminToken } = installation.gateway;
  const headers = { authorization: `Bearer ${adminToken}` };
  const theirs = { brand: { support_url: 'https://theirs.example' } };
  await during(installation.visit(), async (page, { expectRefusal }) => {
    expectRefusal(/^412 PATCH/);
    await goTo(page, BRANDING);
    await page.getByRole('textbox', { name: 'Name' }).fill('Second Name');
    const { revision } = await (await fetch(`${url}/admin/v1/config`, { headers })).json();
    const saved = await fetch(`${url}/admin/v1/config`, {
      method: 'PATCH',
      body: JSON.stringify({ document: theirs }),
      headers: { ...headers, 'content-type': 'application/json', 'if-match': `"${revision}"` },
    });
    expect(saved.status).toBe(200);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText(/^Meanwhile, somebody else \(/).waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    const changes = await dialog.getByRole('table', { name: 'Changes' }).innerText();
    expect(changes).toContain('Second Name');
    expect(changes).not.toContain('theirs.example');
  });
});
