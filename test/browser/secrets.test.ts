// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of references.
/** Tests that an operator can store, replace and delete secrets in the browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const SECRETS = '/console/admin/secrets';
const VALUE = 'whsec_first_value_7f3a';

let installation: Installation;
beforeAll(async () => {
  const config = shippedConfig().replace('config: file     ', 'config: database ');
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('a secret is stored, replaced, kept while in use, and deleted', async () => {
  await during(installation.visit(), async (page, { context, expectRefusal }) => {
    expectRefusal(/^400 PUT/);
    await goTo(page, SECRETS);
    await page.getByRole('heading', { name: 'No secrets yet' }).waitFor();
    await page.getByRole('button', { name: 'Add secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('1 hook');
    await dialog.getByLabel('Value').first().fill(VALUE);
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await dialog.getByText(/The name of a secret is not valid/).waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('HOOK');
    await dialog.getByText('Settings refer to the secret as ${secret:HOOK}.').waitFor();
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const row = page.getByRole('row').filter({ hasText: 'HOOK' });
    const shown = await row.innerText();
    for (const part of ['Ready', '7f3a', 'Ada Lovelace']) expect(shown).toContain(part);
    expect(await page.content()).not.toContain(VALUE);

    await page.getByRole('button', { name: 'Replace HOOK' }).click();
    await dialog.getByLabel('Value').first().fill('whsec_second_value_91bc');
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('91bc').waitFor();

    const use = async (revision: number, alerts: object | null) => {
      const answer = await context.request.patch('/admin/v1/config', {
        data: { document: { alerts } },
        headers: { 'if-match': `"${revision}"` },
      });
      expect(answer.status()).toBe(200);
    };
    await use(1, { webhook_secret: '${secret:HOOK}' });
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: 'Delete HOOK' }).click();
    await dialog.getByText('alerts.webhook_secret').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });

    await use(2, null);
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: 'Delete HOOK' }).click();
    await dialog.getByRole('textbox').fill('HOOK');
    await dialog.getByRole('button', { name: 'Delete secret' }).click();
    await page.getByRole('heading', { name: 'No secrets yet' }).waitFor();
  });
});

for (const language of ['en', 'zh'] as const) {
  test(`the list is accessible and fits every width (${language})`, async () => {
    await during(installation.visit({ language }), async (page, { context }) => {
      const path = `/admin/v1/secrets/A_LONG_NAME_OF_A_SECRET_${language}`;
      const stored = await context.request.put(path, { data: { value: VALUE } });
      expect(stored.status()).toBe(200);
      await goTo(page, SECRETS);
      for (const width of [375, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        // The page adapts to the new window size only after a moment, so the test waits.
        await eventually(
          `nothing overflows ${width} px`,
          () => overflowOf(page),
          (parts) => parts.length === 0,
        );
      }
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}
