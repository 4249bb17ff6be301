/**
 * Tests the features that every table has: sorting, columns, views, selection, many rows, and
 * errors.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const PHONE = { viewport: { width: 375, height: 812 } };

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 300, days: 6, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

type Created = { readonly id: string; readonly secret: string };

async function createKey(page: Page, name: string): Promise<Created> {
  const response = await page.context().request.post('/console/api/keys', {
    headers: {
      origin: installation.gateway.url,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': crypto.randomUUID(),
    },
    data: { name },
  });
  expect(response.status()).toBe(201);
  return await response.json();
}

const namesOf = async (page: Page): Promise<readonly string[]> =>
  await page.getByRole('row').getByRole('link').allInnerTexts();

test('a heading sorts the rows, and the browser keeps the sort and the columns', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys');
    await page.getByRole('button', { name: 'Name' }).click();
    const up = await namesOf(page);
    expect(up).toEqual(up.toSorted((a, b) => a.localeCompare(b)));
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Last used' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    await settled(page);
    const headings = await page.getByRole('columnheader').allInnerTexts();
    expect(headings).not.toContain('Last used');
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByRole('button', { name: 'Name' }).click();
    expect(await namesOf(page)).toEqual(up.toReversed());
  });
});

test('filters are saved as a view, opened again and deleted', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/requests?status=failed');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('What failed');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await goTo(page, '/console/requests');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'What failed' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('button', { name: 'What failed' }).click();
    await page.getByRole('menuitem', { name: 'Delete What failed' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
  });
});

test('selected keys are disabled at once, and revoked after typing a phrase', async () => {
  await during(installation.visit(), async (page) => {
    for (const name of ['spare 1', 'spare 2']) await createKey(page, name);
    await goTo(page, '/console/keys?q=spare');
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('row').getByText('Disabled').nth(1).waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
    expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('revoke 2 keys');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No matching keys').waitFor();
  });
});

test('a long list renders only visible rows, and its search finds every row', async () => {
  await during(installation.visit(), async (page) => {
    const names = Array.from({ length: 230 }, (_, at) => `service ${at}`);
    for (const name of names) await createKey(page, name);
    await goTo(page, '/console/keys');
    await page.locator('table[aria-rowcount]').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 100);
    const table = page.getByRole('table', { name: 'API keys' });
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(230);
    await page.getByRole('textbox', { name: 'Search' }).pressSequentially('service 17');
    await page.getByText('11 keys').waitFor();
    expect(await namesOf(page)).toContain('service 170');
    await page.waitForURL(/q=service/);
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('service 17');
  });
});

test('a long list is printed with every row up to a limit, and says what it leaves out', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys');
    const table = page.getByRole('table', { name: 'API keys' });
    const all = Number(await table.getAttribute('aria-rowcount')) - 1;
    expect(all).toBeGreaterThan(230);
    await page.evaluate(() => {
      const count = () => {
        document.body.dataset['printed'] = `${document.querySelectorAll('tbody tr').length}`;
      };
      addEventListener('beforeprint', count, { once: true });
    });
    await page.pdf();
    expect(await page.locator('body').getAttribute('data-printed')).toBe(`${all}`);
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 100);

    const [key] = Object(await (await page.request.get('/console/api/keys?limit=1')).json()).data;
    const data = Array.from({ length: 1_003 }, (_, at) => ({ ...key, id: `key_${at}` }));
    await page.route('**/console/api/keys?*', (route) =>
      route.fulfill({ json: { data, next: null } }),
    );
    await page.reload();
    await settled(page);
    // Only dispatches the event that starts printing, because really printing a thousand rows would
    // take half a minute.
    const rows = await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      return document.querySelectorAll('tbody tr').length;
    });
    expect(rows).toBe(1_000);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('3 more rows are not printed').isVisible()).toBe(true);
    // Closes the window, because leaving a page with a thousand rows takes seconds of CPU.
    await page.close();
  });
});

test('on a phone a row is a card of a table, accessible, with a sort', async () => {
  await during(installation.visit(PHONE), async (page) => {
    await goTo(page, '/console/requests');
    expect(await page.getByRole('row').count()).toBeGreaterThan(10);
    expect(await page.getByRole('cell').first().isVisible()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await goTo(page, '/console/keys?q=Sta');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: 'Name, descending' }).waitFor();
  });
});

test('a refused request is found by its id', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^404 GET \/console\/api\/(?:requests|refusals)\//);
    const { secret } = await createKey(page, 'refused');
    const response = await fetch(`${installation.gateway.url}/v2/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'no-such-model', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(response.status).toBe(404);
    const id = response.headers.get('x-request-id') ?? '';
    await goTo(page, `/console/requests?request=${id}`);
    const row = page.getByRole('table', { name: 'Refused requests' }).getByRole('row').nth(1);
    expect(await row.innerText()).toContain('no-such-model');
    await row.getByRole('link').click();
    const sheet = page.getByRole('dialog', { name: 'Request' });
    await sheet.getByText('Nothing was charged for this request.').waitFor();
    await sheet.getByText('404 model_not_found').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await goTo(page, '/console/requests?list=refused');
    await page.getByRole('combobox', { name: 'Reason' }).click();
    await page.getByRole('option', { name: 'model_not_found' }).click();
    await page.waitForURL(/code=model_not_found/);
    await page.getByRole('cell', { name: 'no-such-model' }).first().waitFor();
    await goTo(page, `/console/admin/refusals?request=${id}&id=${id}`);
    const seen = page.getByRole('dialog', { name: 'Refused request' });
    await seen.getByRole('link', { name: 'default' }).waitFor();
    await goTo(page, '/console/requests?id=req_00000000000000000000000000');
    await page.getByText('No request with this ID').waitFor();
  });
});

test('an owner logs prompts, reads one in its request, and deletes it', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/requests');
    await page.getByRole('button', { name: 'Prompt log' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prompt log' });
    await dialog.getByRole('switch').click();
    await page.getByText('Prompts and answers of this account are logged').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const { secret } = await createKey(page, 'logged');
    const question = 'Say hello to the blue whale.';
    const body = { model: 'gen-v4-flash', messages: [{ role: 'user', content: question }] };
    const response = await fetch(`${installation.gateway.url}/v2/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
    await goTo(page, `/console/requests?id=${response.headers.get('x-request-id')}`);
    const prompt = page.getByRole('region', { name: 'Prompt log' });
    await prompt.getByText(question).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await prompt.getByRole('button', { name: 'Delete prompt and answer' }).click();
    await prompt.waitFor({ state: 'hidden' });
  });
});

test('on a tablet, tables leave out a column instead of cutting off the last one', async () => {
  await during(installation.visit({ viewport: { width: 768, height: 1024 } }), async (page) => {
    // From the second month of an account on, most amounts have all nine decimal places.
    await page.route('**/console/api/statements*', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const exact = {
        opening: '7999.165599894',
        requests: '-0.00007455',
        closing: '7999.165525344',
      };
      const months = data.map((month: object) => ({ ...month, ...exact }));
      await route.fulfill({ response, json: { ...rest, data: months } });
    });
    for (const path of [
      'billing?tab=statements',
      'admin/people',
      'admin/routes?tab=prices',
      'models/gen-sonnet-5',
    ]) {
      await goTo(page, `/console/${path}`);
      await page.locator('table tbody td').first().waitFor();
      await settled(page);
      await eventually(
        `the tables of ${path} fit`,
        () =>
          page
            .locator('[data-scrolls="true"]')
            .evaluateAll((all) => all.map((one) => one.ariaLabel)),
        (tables) => tables.length === 0,
      );
    }
    await goTo(page, '/console/billing?tab=statements');
    await page.getByRole('columnheader', { name: 'Closing' }).waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await page.getByRole('menuitem', { name: 'JSON Lines' }).getAttribute('href');
    expect(file).toBe('/console/api/statements?format=jsonl');
  });
});
