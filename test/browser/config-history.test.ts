/** Tests that an operator can restore, export and import the configuration in the browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { CHAT, hello, post } from '../support/wire.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

setDefaultTimeout(180_000);
const HISTORY = '/console/admin/history';
const SONNET_AT_FOUR = {
  models: { 'gen-sonnet-5': { channels: { direct: { price: { input: '4.00' } } } } },
};
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

test('a revision is restored, and a file exported, changed and imported again', async () => {
  await during(installation.visit(), async (page, { context }) => {
    const { revision: first } = await configOf(context);
    const asked = { ...hello.chat, model: 'gen-sonnet-5' };
    expect((await post(installation.gateway, CHAT, asked)).status).toBe(200);
    const changed = await context.request.patch('/admin/v1/config?note=Bank', {
      data: { document: { fx: { 'USD/CNY': '7.2000' }, ...SONNET_AT_FOUR } },
      headers: { 'if-match': `"${first}"` },
    });
    expect(changed.status()).toBe(200);
    await goTo(page, HISTORY);
    const row = page.getByRole('row').filter({ hasText: 'fx.USD/CNY' });
    const shown = await row.innerText();
    for (const part of ['In force', 'Ada Lovelace', 'Edited']) expect(shown).toContain(part);
    await page.getByRole('button', { name: `Revision ${first + 1}: details` }).click();
    const sheet = page.getByRole('dialog', { name: `Revision ${first + 1}` });
    const differences = await sheet.getByRole('table', { name: 'Changes' }).innerText();
    for (const part of ['fx.USD/CNY', '"7.1000"', '"7.2000"']) expect(differences).toContain(part);
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: `Restore ${first}`, exact: true }).click();
    const restore = page.getByRole('dialog', { name: `Restore revision ${first}` });
    expect(await restore.getByRole('table', { name: 'Changes' }).innerText()).toContain('"7.1000"');
    await restore
      .getByText(
        /^Revenue in the last 30 days: \$0\.0\S+ At the new prices, it would have been \$0\.0/,
      )
      .waitFor();
    expect((await configOf(context)).revision).toBe(first + 1);
    await restore.getByRole('button', { name: 'Restore revision' }).click();
    await restore.waitFor({ state: 'hidden' });
    await page.getByText(`Restored from revision ${first}`).waitFor();
    expect((await configOf(context)).document.fx).toEqual({ 'USD/CNY': '7.1000' });

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export YAML' }).click();
    const yaml = readFileSync(await (await download).path(), 'utf8');
    const fileOf = (text: string) => [
      { name: 'march.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) },
    ];
    const input = page.locator('input[type="file"]');
    const dialog = page.getByRole('dialog', { name: 'Import march.yaml' });
    await input.setInputFiles(fileOf(`${yaml}lmits: {}\n`));
    const line = yaml.split('\n').length;
    await dialog
      .getByText(`march.yaml:${line}: lmits: unknown key; did you mean "limits"?`)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Import configuration' }).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const higher = yaml.replace(/(gen-sonnet-5:[\s\S]*?input: )'3.00'/, "$1'3.30'");
    await input.setInputFiles(fileOf(higher.replace("'7.1000'", "'77.0000'")));
    await dialog
      .getByText(/^Revenue in the last 30 days: \S+ At the new prices, it would have been /)
      .waitFor();
    const importing = dialog.getByRole('button', { name: 'Import configuration' });
    expect(await importing.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'I have read the warnings' }).check();
    await importing.click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('row').filter({ hasText: 'Imported file' }).waitFor();
    expect((await configOf(context)).document.fx).toEqual({ 'USD/CNY': '77.0000' });
    const nodes = page.getByRole('table', { name: 'Nodes' });
    await nodes.getByText('Up to date').waitFor();
    expect(await nodes.innerText()).toContain(String(first + 3));
    for (const width of WIDE) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      expect(await overflowOf(page)).toEqual([]);
    }
  });
});
