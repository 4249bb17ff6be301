/**
 * Tests how an operator manages routes in the console: drains a route, sees which channels stop,
 * returns the route to service, and publishes an incident on the status page.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { CHAT, hello, post } from '../support/wire.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { during } from './support/visit.ts';

setDefaultTimeout(180_000);

const CONFIG = shippedConfig({
  'config: database ': 'config: database ',
  '\nupstreams:\n':
    '\nupstreams:\n  spare: { protocol: builtin, tokens_per_second: 0 }\n  unused: { protocol: builtin, tokens_per_second: 0 }\n',
  '\nmodels:\n': `
models:
  two-routes:
    kind: chat
    maker: gen
    name: Two Routes
    context_window: 100000
    max_output: 1000
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes:
          - { upstream: spare, model: gen-opus-4-8 }
          - { upstream: builtin, model: two }
`,
});

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ config: CONFIG });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const statusOf = async (model: string): Promise<number> =>
  (await post(installation.gateway, CHAT, { ...hello.chat, model })).status;

test('a route is drained, tested and enabled again', async () => {
  await during(installation.visit(), async (page) => {
    await page.goto(`${installation.gateway.url}/console/admin/routes?find=two-routes`);
    const spare = page.getByRole('row').filter({ hasText: 'spare/' });
    const choose = async (action: string): Promise<void> => {
      await spare.getByRole('button', { name: 'Actions for spare/gen-opus-4-8' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await choose('Drain');
    const dialog = page.getByRole('dialog', { name: 'Drain spare/gen-opus-4-8' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('upgrade of the server');
    await dialog.getByRole('combobox', { name: 'Return to service' }).click();
    await page.getByRole('option', { name: 'In 1 hour', exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    await eventually(
      'the page fits a phone',
      () => overflowOf(page),
      (wide) => wide.length === 0,
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await spare.getByText(/^Drained until/).waitFor();
    expect(await statusOf('two-routes')).toBe(200);
    await choose('Test');
    const sheet = page.getByRole('dialog', { name: 'Test of spare' });
    await sheet.getByRole('button', { name: 'Test', exact: true }).click();
    await sheet.getByText('Passed').first().waitFor();
    await sheet.getByRole('button', { name: 'Test 2 routes of two-routes' }).click();
    const results = sheet.getByRole('table', { name: 'Test results' });
    for (const route of ['spare/gen-opus-4-8', 'builtin/two']) {
      await results.getByRole('row').filter({ hasText: route }).getByText('Passed').waitFor();
    }
    await page.keyboard.press('Escape');
    await choose('Enable');
    await spare.getByText('Closed').waitFor();
    await choose('Change priority and weight');
    const weight = page.getByRole('dialog', { name: 'Priority and weight of spare/gen-opus-4-8' });
    await weight.getByRole('textbox', { name: 'Priority' }).fill('2');
    await weight.getByText('Share: 50% → Standby').waitFor();
    await weight.getByRole('textbox', { name: 'Priority' }).fill('1');
    await weight.getByRole('textbox', { name: 'Weight' }).fill('3');
    await weight.getByText('Share: 50% → 75%').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await weight.getByRole('button', { name: 'Review change' }).click();
    const review = page.getByRole('dialog', { name: 'Review changes' });
    await review.getByRole('button', { name: 'Save changes' }).click();
    await spare.getByText('75%').waitFor();
    await page.getByRole('button', { name: 'Actions for builtin/two' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History of builtin/two' });
    await history.getByRole('figure', { name: 'Attempts' }).waitFor();
    await history.getByRole('figure', { name: 'Total duration' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

test('disabling the last route says what it stops, and undoes it', async () => {
  await during(installation.visit(), async (page) => {
    await page.goto(`${installation.gateway.url}/console/admin/routes?tab=upstreams`);
    const act = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for builtin', exact: true }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await act('Test');
    const sheet = page.getByRole('dialog', { name: 'Test of builtin' });
    await sheet.getByRole('button', { name: /^Test all/ }).click();
    await sheet.getByRole('table').getByText('Passed').first().waitFor();
    await page.keyboard.press('Escape');
    await act('Disable');
    const dialog = page.getByRole('dialog', { name: 'Disable builtin' });
    await dialog.getByText('gen-opus-4-8 on Direct: requests are refused').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Disable anyway' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await statusOf('gen-opus-4-8')).toBe(503);
    expect(await statusOf('two-routes')).toBe(200);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('builtin is enabled').waitFor();
    expect(await statusOf('gen-opus-4-8')).toBe(200);
  });
});

test('an upstream without a route is listed, and tested with a model that one types', async () => {
  await during(installation.visit(), async (page) => {
    await page.goto(`${installation.gateway.url}/console/admin/routes?tab=upstreams`);
    const row = page.getByRole('row').filter({ hasText: 'unused' });
    await row.getByText('No routes').waitFor();
    await row.getByRole('link', { name: 'unused' }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Test of unused' });
    const test = sheet.getByRole('button', { name: 'Test', exact: true });
    expect(await test.isDisabled()).toBe(true);
    await sheet.getByRole('textbox', { name: 'Model to test' }).fill('anything');
    await test.click();
    await sheet.getByText('Passed').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

test('an incident is written, shown to strangers, corrected and resolved', async () => {
  await during(installation.visit(), async (page) => {
    await page.goto(`${installation.gateway.url}/console/admin/routes?tab=notices`);
    await page.getByRole('button', { name: 'Report incident' }).click();
    const form = page.getByRole('dialog', { name: 'Report incident' });
    await form.getByRole('textbox', { name: 'Title' }).fill('Slow <answers>');
    await form.getByRole('textbox', { name: 'Text' }).fill('We look into it.');
    await form.getByRole('combobox', { name: 'Affects' }).fill('Two Routes');
    await page.getByRole('option', { name: 'Two Routes', exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Publish' }).click();
    const act = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for Slow' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await act('Edit');
    const edit = page.getByRole('dialog', { name: 'Edit: Slow <answers>' });
    await edit.getByRole('textbox', { name: 'Title' }).fill('Slow answers');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Slow answers', exact: true }).waitFor();
    await page.goto(`${installation.gateway.url}/console/status`);
    await page.getByRole('status').getByText('Incident in progress').waitFor();
    const card = page.getByRole('region', { name: 'Slow answers' });
    await card.getByText('Affects: Two Routes').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Manage incidents' }).click();
    await act('Resolve');
    const update = page.getByRole('dialog', { name: 'Update: Slow answers' });
    await update.getByRole('textbox', { name: 'Text' }).fill('Fixed.');
    await update.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('cell', { name: 'Resolved' }).waitFor();
  });
  const { notices } = await (await fetch(`${installation.gateway.url}/status.json`)).json();
  expect(notices).toEqual([]);
  await during(installation.visitAsStranger(), async (page) => {
    await page.goto(`${installation.gateway.url}/console/status`);
    await page.getByText('Slow answers').click();
    await page.getByText('Fixed.').waitFor();
  });
});
