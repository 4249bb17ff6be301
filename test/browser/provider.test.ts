/** Tests that an operator can connect, extend and remove a provider using only the console. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from '../support/upstreams/scripted-upstream.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { overflowOf } from './support/layout.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

setDefaultTimeout(180_000);

const KEY = 'sk-provider-0123456789-WXYZ';

let installation: Installation;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.script(answer);
  const shipped = shippedConfig({ 'config: database ': 'config: database ' });
  const config = `${shipped}\nprice_lists: { staff: { factor: "1" } }\n`;
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(async () => {
  upstream.stop();
  await installation[Symbol.asyncDispose]();
});

const MODELS = [
  {
    id: 'acme/small',
    context_length: 32_000,
    pricing: { prompt: '0.000001', completion: '0.000002' },
  },
  { id: 'acme/large', context_length: 64_000, max_output: 8_000 },
];
const EMBEDDING = 'acme/embed-mini';

function answer({ path, headers, body }: UpstreamCall): Response {
  if (headers.get('authorization') !== `Bearer ${KEY}`) {
    const error = { message: 'Incorrect API key provided', code: 'invalid_api_key' };
    return Response.json({ error }, { status: 401 });
  }
  if (path === '/v1/models') return Response.json({ object: 'list', data: MODELS });
  if (path === '/empty/models') return Response.json({ data: [] });
  if (path !== '/v1/chat/completions') return new Response('<html>', { status: 404 });
  const { stream, model } = Object(body);
  const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };
  const base = { id: 'x', created: 1, model };
  if (stream !== true) {
    const message = { role: 'assistant', content: 'ok' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return Response.json({ ...base, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...base, object: 'chat.completion.chunk' };
  const events = [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'ok' } }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...chunk, choices: [], usage },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return new Response([...events, 'data: [DONE]\n\n'].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

async function enter(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('acme');
  await page.getByLabel('Base URL').fill(address);
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

test('names a wrong key, a private address, no server, and an empty list', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^400 POST \/admin\/v1\/providers\/models/);
    await page.goto('/console/admin/providers/new');
    await enter(page, `http://${upstream.host}/v1`, 'sk-wrong');
    await next(page);
    await page.getByText('This is a private address.').waitFor();
    await waitForFocus(page.getByLabel('Base URL'));
    await page.getByLabel('Allow a private address').check();
    await next(page);
    await page.getByText('The provider refused the key.').waitFor();
    await page.getByText('Incorrect API key provided').waitFor();
    await enter(page, `http://${upstream.host}/empty`, KEY);
    await next(page);
    await page.getByText('The list of models is empty.').waitFor();
    await enter(page, `http://${upstream.host}/nowhere`, KEY);
    await next(page);
    await page.getByText('No list of models was found at this address.').waitFor();
    await enter(page, `https://${upstream.host}/v1`, KEY);
    await next(page);
    await page.getByText(/does not use TLS|cannot be reached/).waitFor();
    await enter(page, 'http://127.0.0.1:1/v1', KEY);
    await next(page);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Continue without the list' }).click();
    await page.getByRole('combobox', { name: 'Models to sell' }).waitFor();
  });
});

test('connects a provider with two models, and keeps the key out of sight', async () => {
  await during(installation.visit(), async (page) => {
    await page.goto('/console/setup?step=models');
    await page.getByRole('link', { name: 'Connect a provider' }).click();
    await enter(page, `http://${upstream.host}/v1`, KEY);
    await page.getByLabel('Allow a private address').check();
    await next(page);
    const models = page.getByRole('combobox', { name: 'Models to sell' });
    for (const { id } of MODELS) {
      await models.fill(id);
      await models.press('Enter');
    }
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await page.getByText('Passed').first().waitFor();
    await next(page);
    const small = page.getByRole('group', { name: 'acme/small' });
    const large = page.getByRole('group', { name: 'acme/large' });
    await next(page);
    await large.getByText('Enter a price, such as 2.50.').first().waitFor();
    await waitForFocus(small.getByLabel('Max output tokens'));
    await small.getByLabel('Max output tokens').fill('4000');
    await page.getByRole('button', { name: 'Set prices to cost × factor' }).click();
    expect(await small.getByLabel('Price, input').inputValue()).toBe('1.30');
    expect(await small.getByLabel('Price, output').inputValue()).toBe('2.60');
    await large.getByLabel('Price, input').fill('3');
    await large.getByLabel('Price, output').fill('0');
    await next(page);
    await page.getByRole('table', { name: 'Changes' }).waitFor();
    expect(await page.getByText('is not set').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    const save = page.getByRole('button', { name: 'Save and sell' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('I confirm this').check();
    await save.click();
    await page.getByText('small, large').waitFor();
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole('link', { name: 'Continue setup' }).click();
    await page.getByRole('heading', { name: 'Your first key' }).waitFor();
  });
  const { url, adminToken } = installation.gateway;
  const headers = { authorization: `Bearer ${adminToken}` };
  const config = await (await fetch(`${url}/admin/v1/config`, { headers })).text();
  expect(config).not.toContain(KEY);
  const { data } = Object(await (await fetch(`${url}/admin/v1/secrets`, { headers })).json());
  expect(data).toMatchObject([
    {
      name: 'acme.api_key',
      state: 'ready',
      last_four: 'WXYZ',
      used_by: ['upstreams.acme.api_key'],
    },
  ]);
  const revisions = await fetch(`${url}/admin/v1/config/revisions`, { headers });
  const { data: all } = Object(await revisions.json());
  expect(all.map(({ revision }: { revision: number }) => revision)).toEqual([2, 1]);
});

test('the page of an upstream changes, tests, extends and removes it', async () => {
  await during(installation.visit(), async (page) => {
    const { url, adminToken } = installation.gateway;
    const config = async () => {
      const headers = { authorization: `Bearer ${adminToken}` };
      return Object(await (await fetch(`${url}/admin/v1/config`, { headers })).json());
    };
    const make = async (button: string): Promise<void> => {
      const asked = page.getByRole('dialog');
      await asked.getByRole('button', { name: button }).click();
      await asked.waitFor({ state: 'detached' });
    };
    await page.goto('/console/admin/routes?tab=upstreams');
    await page.getByRole('link', { name: 'acme' }).click();
    await page.getByText(/ends with WXYZ · set .* by/).waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill('sk-wrong');
    await page.getByRole('textbox', { name: 'Connect timeout' }).fill('20m5');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('write a duration such as 15s, 60m or 2h').waitFor();
    await page.getByRole('textbox', { name: 'Connect timeout' }).fill('20s');
    await page.getByRole('button', { name: 'Test changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The server refused the key.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'API key' }).fill(KEY);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await make('Save changes');
    await page.getByText('acme.api_key-2').waitFor();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings refer to it.
    const saved = { api_key: '${secret:acme.api_key-2}', connect_timeout: '20s' };
    expect((await config()).document.upstreams.acme).toMatchObject(saved);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('link', { name: 'Add models' }).click();
    const models = page.getByRole('combobox', { name: 'Models to sell' });
    await models.fill('acme/small');
    await models.press('Enter');
    await models.fill(EMBEDDING);
    await models.press('Enter');
    await next(page);
    const chat = page.getByRole('group', { name: 'acme/small' });
    await chat.getByLabel('Model name for callers').fill('again');
    await chat.getByLabel('Max output tokens').fill('4000');
    await page.getByRole('button', { name: 'Set prices to cost × factor' }).click();
    const embedding = page.getByRole('group', { name: EMBEDDING });
    await embedding.getByLabel('Context window').fill('8000');
    await embedding.getByLabel('Price, input').fill('0.02');
    await next(page);
    await embedding.getByText('Enter the number of dimensions.').waitFor();
    await embedding.getByLabel('Dimensions').fill('256');
    expect(await violationsOf(page)).toEqual([]);
    await next(page);
    await page.getByRole('button', { name: 'Save and sell' }).click();
    await page.getByRole('link', { name: 'Show acme' }).click();

    await page.getByRole('link', { name: 'again' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Once more');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await make('Save changes');
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a channel to again' });
    expect(
      await dialog.getByRole('group', { name: 'Price' }).getByLabel('Input').inputValue(),
    ).toBe('1.30');
    await dialog.getByRole('combobox', { name: 'Upstream' }).click();
    await page.getByRole('option', { name: 'acme' }).click();
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('Enter the name that the upstream uses for the model.').waitFor();
    await dialog.getByLabel('Upstream model name').fill('acme/large');
    const label = 'Limited to price lists';
    const lists = page.getByRole('dialog').getByRole('combobox', { name: label });
    await lists.click();
    await page.getByRole('option', { name: 'staff' }).click();
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('acme / acme/large').waitFor();
    const { again, 'embed-mini': sold } = (await config()).document.models;
    expect(sold).toMatchObject({ kind: 'embedding', dimensions: 256 });
    expect([again.name, again.channels.stable]).toMatchObject([
      'Once more',
      {
        only_on: ['staff'],
        ...{ price: { input: '1.30' }, routes: [{ upstream: 'acme', model: 'acme/large' }] },
      },
    ]);
    await page.getByRole('button', { name: 'Actions for Stable' }).click();
    await page.getByRole('menuitem', { name: 'Edit routes and cost' }).click();
    await lists.press('Backspace');
    await page.getByRole('button', { name: 'Review changes' }).last().click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await lists.waitFor({ state: 'detached' });
    expect((await config()).document.models.again.channels.stable).not.toHaveProperty('only_on');
    expect(await violationsOf(page)).toEqual([]);

    // The gateway refuses a change that is based on an older revision. So the page must not offer a
    // change before it has loaded the newest revision. The test delays the request that loads it.
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    await page.route('**/config/upstreams/acme/fields', async (route) => {
      await isRead;
      await route.continue();
    });
    await page.getByRole('link', { name: 'acme' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor();
    const removal = page.getByRole('button', { name: 'Remove again · direct' });
    expect(await removal.count()).toBe(0);
    read();
    await removal.click();
    await page.getByText('models.again.channels.direct: is no longer sold').waitFor();
    await make('Remove route');
    await page.getByRole('button', { name: 'Remove upstream' }).click();
    await page.getByText('models.large: is no longer sold').waitFor();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove upstream' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type acme to confirm').fill('acme');
    await remove.click();
    await page.getByRole('heading', { name: 'Channels and routes' }).waitFor();
    const { document, revision } = await config();
    expect([document.upstreams.acme, document.models.small]).toEqual([undefined, undefined]);
    expect(revision).toBe(9);
  });
});

for (const language of LANGUAGES) {
  test(`the form is accessible and fits a phone: ${language}`, async () => {
    const say = wordsOf(language);
    const viewport = { width: 375, height: 800 };
    await during(installation.visit({ language, viewport }), async (page) => {
      await page.goto('/console/admin/providers/new');
      await page.getByRole('radio', { name: /OpenRouter/ }).click();
      const address = page.getByLabel(say('Base URL'));
      expect(await address.inputValue()).toBe('https://openrouter.ai/api/v1');
      await page.getByRole('button', { name: say('Continue') }).click();
      await page.getByText(say('Enter the key of your account with this provider.')).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toEqual([]);
    });
  });
}
