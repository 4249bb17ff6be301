/** Tests that the public pages show prices, channel states and guides, also on a phone. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { GUIDES } from '../../console/src/screens/account/quick-start/guides.ts';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const PHONE = { width: 375, height: 812 } as const;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 3_000, days: 40, seed: 5 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Whether the text is inside the width of the window, and neither scrolled out nor cut off. */
async function isInView(page: Page, text: Locator): Promise<boolean> {
  const box = await text.boundingBox();
  const hit = await text.evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
    const { right, left, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const at = document.elementFromPoint(x, y);
    return at !== null && (element.contains(at) || at.contains(element));
  });
  const width = page.viewportSize()?.width ?? 0;
  return box !== null && box.x >= 0 && box.x + box.width <= width && hit;
}

const onPhone = (act: (page: Page) => Promise<void>): Promise<void> =>
  during(installation.visitAsStranger({ viewport: PHONE }), act);

test('on a phone, the model page shows the price of every channel', async () => {
  await onPhone(async (page) => {
    await goTo(page, '/console/models/gen-sonnet-5');
    const prices = page.getByRole('table', { name: 'Channel' });
    for (const price of ['$3.00', '$3.30', '$1.80']) {
      expect([
        price,
        await isInView(page, prices.getByText(price, { exact: true }).first()),
      ]).toEqual([price, true]);
    }
    expect(await page.getByText('Balance of quality and price').isVisible()).toBe(true);
    await page
      .getByRole('slider', { name: /success rate/ })
      .first()
      .waitFor();
    expect(await page.getByRole('tab', { name: 'curl' }).isVisible()).toBe(true);
  });
});

test('on a phone, compared prices are in full view, and the best is marked', async () => {
  await onPhone(async (page) => {
    await goTo(page, '/console/models/compare?ids=gen-sonnet-5,gen-v4-pro');
    const row = page.getByRole('row').filter({ hasText: 'Direct · Input' });
    for (const price of ['$3.00', '$1.32']) {
      expect([price, await isInView(page, row.getByText(price))]).toEqual([price, true]);
    }
    expect(await row.getByTitle('Best value of the compared models').innerText()).toBe('$1.32');
    const same = page.getByRole('row').filter({ hasText: 'Context' });
    expect(await same.count()).toBe(1);
    await page.getByRole('switch', { name: 'Only differences' }).click();
    expect(await same.count()).toBe(0);
    expect(await row.count()).toBe(1);
  });
});

test('on a phone, the status page shows the state of each channel and its 90 days', async () => {
  await onPhone(async (page) => {
    await goTo(page, '/console/status');
    const rows = page.getByRole('table', { name: 'Channels' }).getByRole('row');
    const line = rows.filter({ hasText: 'Gen Sonnet 5' }).filter({ hasText: 'Direct' });
    expect(await isInView(page, line.getByText(/^(Healthy|No data|Degraded)$/))).toBe(true);
    const bars = line.getByRole('slider', { name: /success rate/ }).first();
    expect(await bars.locator('..').locator('rect').count()).toBe(90);
    expect(await isInView(page, bars)).toBe(true);
  });
});

test('the arrow keys move over the 90 days of a channel, each with its date and rate', async () => {
  await during(installation.visitAsStranger(), async (page) => {
    await goTo(page, '/console/status');
    const bars = page.getByRole('slider', { name: /success rate/ }).first();
    const text = () => bars.getAttribute('aria-valuetext');
    await bars.focus();
    expect(await bars.getAttribute('aria-valuenow')).toBe('90');
    const today = await text();
    await page.keyboard.press('ArrowLeft');
    const yesterday = await eventually('another day', text, (shown) => shown !== today);
    expect(yesterday).toMatch(/^\w{3} \d+, \d{4}: (?:[\d.]+% of requests succeeded|no data)$/);
    await page.getByText(yesterday ?? '', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    const shown = () => bars.getAttribute('aria-valuenow');
    expect(await eventually('the first day', shown, (day) => day !== '89')).toBe('1');
  });
});

test('a search and a chip narrow the models, and the address keeps them', async () => {
  await during(installation.visitAsStranger(), async (page) => {
    await goTo(page, '/console/models');
    const cards = page.getByRole('article');
    expect(await cards.count()).toBe(9);
    await page.getByText('Low price', { exact: true }).first().click();
    await page.waitForURL(/tag=low/);
    await settled(page);
    expect(await cards.count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Search' }).fill('bulk');
    await page.waitForURL(/q=bulk/);
    await settled(page);
    expect(await cards.count()).toBe(1);
    expect(await cards.first().innerText()).toContain('Gen V4 Flash');
  });
});

test('the reference shows strangers only the public API, and sends a request with their key', async () => {
  await during(installation.visitAsStranger(), async (page, { expectRefusal }) => {
    expectRefusal(/^401 POST .*\/v2\/chat\/completions$/);
    await goTo(page, '/console/reference#post-v2-chat-completions');
    expect(await page.getByText('/console/api', { exact: false }).count()).toBe(0);
    expect(await page.getByText('/admin/v1', { exact: false }).count()).toBe(0);
    const chat = page.locator('#post-v2-chat-completions');
    await chat.getByRole('tab', { name: 'Python' }).click();
    await chat.getByText('requests.request').waitFor();
    await chat.getByLabel('API key', { exact: true }).fill('sk-mg-wrong');
    await chat.getByRole('button', { name: 'Send request' }).click();
    await chat
      .getByRole('status')
      .filter({ hasText: /^401 · / })
      .waitFor();
    expect(
      await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
    ).not.toContain('sk-mg-wrong');
    await chat.getByLabel('Path').fill('//elsewhere.example/v1');
    await chat.getByRole('button', { name: 'Send request' }).click();
    await chat.getByRole('alert').filter({ hasText: 'must begin with /' }).waitFor();
  });
});

test('strangers read the guides, with the address of this gateway', async () => {
  await during(installation.visitAsStranger({ viewport: PHONE }), async (page) => {
    await goTo(page, '/console/models');
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { level: 1, name: 'OpenAI SDK' }).waitFor();
    await page.getByText(`${installation.gateway.url}/v2`).first().waitFor();
    await page.getByRole('link', { name: 'Claude Code', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Claude Code' }).waitFor();
  });
});

test('a guide has its contents folded on a phone, and beside it on a laptop', async () => {
  for (const viewport of [PHONE, { width: 1280, height: 600 }]) {
    await during(installation.visitAsStranger({ viewport }), async (page) => {
      await goTo(page, '/console/quick-start/agents');
      const contents = page.getByRole('navigation', { name: 'On this page' });
      const link = contents.getByRole('link', { name: 'Cursor', exact: true });
      await contents.waitFor();
      expect(await link.isVisible()).toBe(viewport !== PHONE);
      if (viewport === PHONE) await contents.getByText('On this page').click();
      expect(await violationsOf(page)).toEqual([]);
      await link.click();
      await page.waitForURL(/agents#cursor$/);
      const title = page.getByRole('heading', { level: 2, name: 'Cursor' });
      expect(await isInView(page, title)).toBe(true);
      const top = async () => (await contents.boundingBox())?.y ?? -1;
      if (viewport !== PHONE) expect(await top()).toBeGreaterThanOrEqual(0);
      await page.reload();
      await title.waitFor();
      await page.waitForFunction(() => scrollY > 300);
    });
  }
});

test('search engines find every guide, with a title and a description', async () => {
  const sitemap = await (await fetch(`${installation.gateway.url}/sitemap.xml`)).text();
  for (const name of Object.keys(GUIDES)) {
    expect(sitemap).toContain(`/console/quick-start/${name}</loc>`);
    const page = await (
      await fetch(`${installation.gateway.url}/console/quick-start/${name}`)
    ).text();
    expect(page).toMatch(/<title>Set up [^<]+ · Modelgate<\/title>/);
    expect(page).toMatch(/<meta name="description" content="[^"]{20,}"/);
  }
  expect(sitemap.match(/quick-start\//g)?.length).toBe(Object.keys(GUIDES).length);
});
