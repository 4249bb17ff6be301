/** Tests prices in the console: changes, the confirmation of unusual prices, and the charges. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { goTo } from './support/settled.ts';

const PRICE = 'price: { input: "5.00", output: "25.00", cache_read: "0.50", cache_write: "6.25" }';
/** The prices of an image model by size, and the same prices in another order. */
const SIZES = '1024x1024: "0.030", 1792x1024: "0.045", 1024x1792: "0.045"';
const LARGEST_FIRST = '1792x1024: "0.045", 1024x1024: "0.030", 1024x1792: "0.045"';
const COST = '        cost: { input: "4.00", output: "20.00" }';
/**
 * A provider and one of its models. The model's price differs from its price in the public price
 * data (`LITELLM`).
 */
const UPSTREAM =
  '{ protocol: openai, make: openai, base_url: "https://api.openai.com/v1", api_key: none }';
const MODEL = `models:
  pub-x:
    kind: chat
    maker: openai
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "1.90", output: "20.00" }
        routes: [{ upstream: openai, model: gpt-4.1 }]
`;
const LITELLM = {
  'gpt-4.1': {
    ...{ litellm_provider: 'openai', input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 },
  },
};

let installation: Installation;
beforeAll(async () => {
  const config = shippedConfig({
    'config: database ': 'config: database ',
    [PRICE]: `${PRICE}\n${COST}`,
    '\nupstreams:\n': `\nupstreams:\n  openai: ${UPSTREAM}\n`,
    'models:\n  gen-opus-4-8:': `${MODEL}  gen-opus-4-8:`,
    [SIZES]: LARGEST_FIRST,
  });
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Opens the price history of a model on a channel, and from there the price editor. */
async function editCell(page: Page, model: string, channel: string): Promise<Locator> {
  await goTo(page, '/console/admin/cards');
  const cell = new RegExp(`price history of ${model} on ${channel}`);
  await page.getByRole('button', { name: cell }).click();
  await page.getByRole('button', { name: 'Edit price' }).click();
  const editor = page.getByRole('dialog', { name: /^Edit prices of/ });
  await editor.getByLabel('Input', { exact: true }).waitFor();
  return editor;
}

const toReview = (editor: Locator): Promise<void> =>
  editor.getByRole('button', { name: 'Review changes' }).click();
const changesIn = (editor: Locator): Locator =>
  editor.getByRole('table', { name: 'Changed prices' });

/** Returns the price of a model in the catalogue. */
async function priceOf(page: Page, model: string, channel: string) {
  const response = await page.context().request.get('/admin/v1/channels');
  const { data } = await response.json();
  return data.find((each: { readonly model: string; readonly channel: string }) => {
    return each.model === model && each.channel === channel;
  });
}

/** Sends a request to a model and returns the receipt. */
async function receiptOf(model: string) {
  const { url, key } = installation.gateway;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v2/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, stream: false, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
  const id = answer.headers.get('x-request-id');
  const receipt = await fetch(`${url}/v1/requests/${id}`, { headers });
  return Object(await receipt.json()).data;
}

test('a changed price is shown before it is saved, and the next receipt has its card', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  const before = await receiptOf('gen-sonnet-5');
  const editor = await editCell(page, 'gen-sonnet-5', 'direct');
  await waitForFocus(editor.getByRole('textbox').first());
  await editor.getByLabel('Input', { exact: true }).fill('3.300001');
  expect(await violationsOf(page)).toEqual([]);
  await toReview(editor);
  await waitForFocus(editor.getByRole('group', { name: 'Review changes' }));
  const row = changesIn(editor).getByRole('row').filter({ hasText: 'Input' });
  expect(await row.innerText()).toMatch(/3\.00\s+3\.300001\s+\+10%/);
  await editor
    .getByText(
      /^Revenue in the last 30 days: \$0\.0\S+ At the new prices, it would have been \$0\.0/,
    )
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Save 1 price' }).click();
  await page.getByText(/Prices saved as revision \d+/).waitFor();
  await page.getByRole('dialog').getByText('$3.300001').first().waitFor();
  const after = await receiptOf('gen-sonnet-5');
  const { price, price_card: card, example } = await priceOf(page, 'gen-sonnet-5', 'direct');
  expect(price.input).toBe('3.300001');
  expect(example).toBe(false);
  expect(after.price_card).toBe(card);
  expect(before.price_card).not.toBe(card);
});

test('a new price list is what its accounts pay, and it is removed when none is left on it', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  await goTo(page, '/console/admin/cards?tab=lists');
  await page.getByRole('button', { name: 'New price list' }).click();
  const editor = page.getByRole('dialog', { name: 'New price list' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('partners');
  await editor.getByRole('textbox', { name: 'Factor' }).fill('0.5');
  expect(await violationsOf(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Review change' }).click();
  // Half of the price of gen-opus-4-8 is below the operator's cost, which the test configures as
  // `COST`.
  const review = page.getByRole('dialog', { name: 'Review changes' });
  await review
    .getByText(/price_lists\.partners\.models\.gen-opus-4-8.*below its cost/)
    .first()
    .waitFor();
  await review.getByRole('checkbox').check();
  await review.getByRole('button', { name: 'Save changes' }).click();
  const lists = page.getByRole('table', { name: 'Price lists' });
  await lists.getByText('× 0.5').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  const { data: accounts } = await (await page.request.get('/admin/v1/accounts')).json();
  await goTo(page, `/console/admin/accounts/${accounts[0].id}?tab=limits`);
  await page.getByRole('combobox', { name: 'Price list' }).click();
  await page.getByRole('option', { name: 'partners' }).click();
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText(/^Limits of .* saved$/).waitFor();
  expect((await receiptOf('gen-sonnet-5')).price_list).toBe('partners');

  await goTo(page, '/console/admin/cards?tab=lists');
  await lists.getByRole('button', { name: /Remove.*partners/ }).click();
  const removal = page.getByRole('dialog', { name: 'Remove partners?' });
  await removal.getByText(/1 account is on this price list/).waitFor();
  expect(await removal.getByRole('button', { name: 'Remove' }).isEnabled()).toBe(false);
  await removal.getByRole('button', { name: 'Cancel' }).click();
  await page.request.patch(`/admin/v1/accounts/${accounts[0].id}`, { data: { price_list: null } });
  await lists.getByRole('button', { name: /Remove.*partners/ }).click();
  await removal.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No price lists yet').waitFor();
});

test('a price below cost, of zero or ten times as high is saved only after a confirmation', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  const editor = await editCell(page, 'gen-opus-4-8', 'direct');
  await editor.getByText('Cost 4.00 · margin 20%').waitFor();
  await editor.getByLabel('Input', { exact: true }).fill('0');
  await editor.getByLabel('Output', { exact: true }).fill('2500');
  await toReview(editor);
  const save = editor.getByRole('button', { name: 'Save 2 prices' });
  await save.waitFor();
  for (const words of [/become 0/, /factor of 10/, /below their cost/]) {
    expect(await save.isEnabled()).toBe(false);
    await editor.getByRole('checkbox', { name: words }).check();
  }
  await editor.getByRole('button', { name: 'Back' }).click();
  expect(await editor.getByLabel('Output', { exact: true }).inputValue()).toBe('2500');
  expect((await priceOf(page, 'gen-opus-4-8', 'direct')).price.output).toBe('25.00');
  await toReview(editor);
  for (const words of [/become 0/, /factor of 10/, /below their cost/])
    await editor.getByRole('checkbox', { name: words }).check();
  await editor.getByRole('button', { name: 'Save 2 prices' }).click();
  await page.getByText(/Prices saved as revision \d+/).waitFor();
  expect((await priceOf(page, 'gen-opus-4-8', 'direct')).price.output).toBe('2500');
});

test('a price begins at its moment, is withdrawn, and an earlier one is restored', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  await receiptOf('gen-v4-pro');
  const editor = await editCell(page, 'gen-v4-pro', 'direct');
  await editor.getByLabel('Input', { exact: true }).fill('7.00');
  await editor.getByText('From a date', { exact: true }).click();
  await toReview(editor);
  await editor.getByText('Enter the day from which the prices apply.').waitFor();
  const day = editor.getByRole('textbox', { name: 'Date (UTC)' });
  await day.fill('2020-01-01');
  await toReview(editor);
  await editor.getByText(/This time has passed/).waitFor();
  await day.fill('2031-12-01');
  expect(await violationsOf(page)).toEqual([]);
  await toReview(editor);
  const row = changesIn(editor).getByRole('row').filter({ hasText: 'Input' });
  expect(await row.innerText()).toMatch(/1\.32\s+7\.00\s+\+430\.3%/);
  await editor.getByRole('button', { name: 'Save 1 price' }).click();
  await page.getByText(/Prices saved as revision \d+/).waitFor();
  expect(await priceOf(page, 'gen-v4-pro', 'direct')).toMatchObject({
    price: { input: '1.32' },
    upcoming: [{ effective_from: '2031-12-01T00:00:00Z', price: { input: '7.00' } }],
  });
  await page.getByText(/^From Dec 1, 2031.*\$7\.00/).waitFor();
  const history = page.getByRole('dialog', { name: 'gen-v4-pro · Direct' });
  await history.getByText('Announced', { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await history.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = page.getByRole('dialog', { name: /^Withdraw the announced price/ });
  await withdrawal
    .getByText(
      /^Revenue in the last 30 days: \S+ At the withdrawn prices, it would have been \S+ \(\+/,
    )
    .waitFor();
  await withdrawal.getByRole('button', { name: 'Save 1 price' }).click();
  await history.getByText('Announced', { exact: true }).waitFor({ state: 'detached' });
  expect((await priceOf(page, 'gen-v4-pro', 'direct')).upcoming).toEqual([]);
  // The withdrawn price is in the history like any earlier price, so it can be restored.
  await history.getByRole('button', { name: 'Restore this price' }).click();
  const restoring = page.getByRole('dialog', { name: /^Restore an earlier price/ });
  await restoring
    .getByText(/^Revenue in the last 30 days: \S+ At the new prices, it would have been \S+ \(\+/)
    .waitFor();
  await restoring.getByRole('button', { name: 'Save 1 price' }).click();
  await restoring.waitFor({ state: 'detached' });
  expect((await priceOf(page, 'gen-v4-pro', 'direct')).price.input).toBe('7.00');
});

test('the lowest price of an image model does not depend on the order of its sizes', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  await goTo(page, '/console/models?kind=image');
  const card = page.getByRole('article', { name: 'Img 2 Pro' });
  expect(await card.innerText()).toContain('from $0.03 ');
});

test('a price for some weeks begins at a moment, and ends at a later one', async () => {
  await using visit = await installation.visit({ timeZone: 'America/New_York' });
  const { page } = visit;
  const from = async (editor: Locator, day: string): Promise<void> => {
    await editor.getByText('From a date', { exact: true }).click();
    await editor.getByRole('textbox', { name: 'Date (UTC)' }).fill(day);
  };
  const first = await editCell(page, 'gen-v4-flash', 'direct');
  await from(first, '2031-12-01');
  await first.getByLabel('Input', { exact: true }).fill('0.20');
  await toReview(first);
  await first.getByText(/^The new prices apply from Dec 1, 2031, .* \(UTC\)\.$/).waitFor();
  await first.getByRole('button', { name: 'Save 1 price' }).click();
  await first.waitFor({ state: 'detached' });
  const second = await editCell(page, 'gen-v4-flash', 'direct');
  const input = second.getByLabel('Input', { exact: true });
  expect(await input.inputValue()).toBe('0.30');
  await second.getByText('If empty, twice the price “Input” applies.').waitFor();
  await from(second, '2032-01-01');
  expect(await input.inputValue()).toBe('0.20');
  await input.fill('0.30');
  await toReview(second);
  const row = changesIn(second).getByRole('row').filter({ hasText: 'Input' });
  expect(await row.innerText()).toMatch(/0\.20\s+0\.30\s+\+50%/);
  await second.getByRole('button', { name: 'Save 1 price' }).click();
  await second.waitFor({ state: 'detached' });
  const { upcoming } = await priceOf(page, 'gen-v4-flash', 'direct');
  expect(upcoming).toMatchObject([
    { effective_from: '2031-12-01T00:00:00Z', price: { input: '0.20' } },
    { effective_from: '2032-01-01T00:00:00Z', price: { input: '0.30' } },
  ]);
});

test('of two administrators, the second sees the change of the first before saving', async () => {
  await using first = await installation.visit();
  await using second = await installation.visit();
  const early = await editCell(first.page, 'gen-sonnet-5', 'stable');
  const late = await editCell(second.page, 'gen-sonnet-5', 'stable');
  await early.getByLabel('Output', { exact: true }).fill('17.00');
  await late.getByLabel('Output', { exact: true }).fill('18.00');
  await toReview(early);
  await toReview(late);
  await changesIn(late).waitFor();
  await early.getByRole('button', { name: 'Save 1 price' }).click();
  await first.page.getByText(/Prices saved/).waitFor();
  await late.getByRole('button', { name: 'Save 1 price' }).click();
  await late.getByText(/You saved configuration revision \d+ yourself/).waitFor();
  await late.getByRole('button', { name: 'Review again' }).click();
  await changesIn(late)
    .getByRole('row', { name: /17\.00 18\.00/ })
    .waitFor();
  await late.getByRole('button', { name: 'Save 1 price' }).click();
  await second.page.getByText(/Prices saved/).waitFor();
  expect((await priceOf(second.page, 'gen-sonnet-5', 'stable')).price.output).toBe('18.00');
});

test('models are multiplied by a factor, exactly, and the rounding is said', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  await goTo(page, '/console/admin/cards');
  await page.getByRole('checkbox', { name: /Gen Opus 4\.7/ }).check();
  await page.getByRole('button', { name: 'Multiply prices' }).click();
  const editor = page.getByRole('dialog', { name: /^Multiply the prices/ });
  await editor.getByRole('textbox', { name: 'Factor' }).fill('1.333333');
  await editor.getByRole('checkbox', { name: 'Stable' }).uncheck();
  expect(await violationsOf(page)).toEqual([]);
  await toReview(editor);
  // The exact result 6.25 × 1.333333 = 8.33333125 has too many decimals, so it is rounded.
  await editor.getByText('2 prices were rounded half up.').waitFor();
  await editor.getByRole('button', { name: 'Save 4 prices' }).click();
  await page.getByText(/Prices saved/).waitFor();
  const { price } = await priceOf(page, 'gen-opus-4-7', 'direct');
  expect([price.input, price.output, price.cache_read, price.cache_write]).toEqual([
    ...['6.666665', '33.333325', '0.666667', '8.333331'],
  ]);
});

test('public prices are compared and set, and a large change waits for a person', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  await goTo(page, '/console/admin/cards?tab=public');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('Choose a file.').waitFor();
  const buffer = Buffer.from(JSON.stringify(LITELLM));
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'prices.json', mimeType: 'application/json', buffer }]);
  await page.getByText('prices.json').waitFor();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const table = page.getByRole('table', { name: 'Prices that differ' });
  const rowOf = (name: RegExp): Locator => table.getByRole('row').filter({ hasText: name });
  expect(await rowOf(/Input/).innerText()).toMatch(/1\.90\s+2\.00\s+\+5\.2%/);
  expect(await rowOf(/Input/).getByRole('checkbox').isChecked()).toBe(true);
  expect(await rowOf(/Output/).innerText()).toContain('Needs confirmation: large change');
  expect(
    await rowOf(/Output/)
      .getByRole('checkbox')
      .isChecked(),
  ).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Review prices' }).click();
  const review = page.getByRole('dialog', { name: 'Use published prices' });
  expect(await changesIn(review).innerText()).toMatch(/1\.90\s+2\.00/);
  await review.getByText('Last 30 days: no requests').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await review.getByRole('button', { name: 'Save 1 price' }).click();
  await rowOf(/Input/).waitFor({ state: 'detached' });
  expect((await priceOf(page, 'pub-x', 'direct')).price).toMatchObject({
    ...{ input: '2', output: '20.00' },
  });
  await rowOf(/Output/)
    .getByRole('checkbox')
    .check();
  await page.getByRole('button', { name: 'Review prices' }).click();
  await review.getByRole('button', { name: 'Save 1 price' }).click();
  await page.getByText('All compared prices match the price data').waitFor();
  expect((await priceOf(page, 'pub-x', 'direct')).price.output).toBe('8');
});
