/** Tests what a visitor sees and what the browser loads until the first screen is complete. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { ADA } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

/**
 * The maximum number of requests until a first screen is complete. The requests load the page,
 * scripts, style, texts, fonts and API responses.
 */
const MAX_REQUESTS = { '/console/sign-in': 13, '/console/models': 15, '/console': 26 } as const;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const hasPainted = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    .then(() => true);

test('the frame is painted before any script and style sheet has arrived', async () => {
  await during(installation.visitAsStranger({ isNew: true }), async (page) => {
    const arrival = Promise.withResolvers<void>();
    await page.route('**/console/assets/*', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto('/console/sign-in', { waitUntil: 'commit' });
    await page.locator('.frame').getByText('Modelgate').waitFor();
    expect(await hasPainted(page)).toBe(true);
    arrival.resolve();
    await settled(page);
    expect(await page.locator('.frame').count()).toBe(0);
  });
});

/**
 * Keeps the page from polling, so that a request of a poll does not count when the first screen
 * takes longer than the interval.
 */
const withoutPolling = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));

test('the next visit begins with the outline of the menu', async () => {
  await during(installation.visit({ isNew: true }), async (page) => {
    await goTo(page, '/console');
    await page.route('**/console/assets/*.js', () => {});
    await page.goto('/console/keys', { waitUntil: 'commit' });
    await page.locator('.frame nav').waitFor();
    await page.unroute('**/console/assets/*.js');
  });
});

test('the data of a page is requested beside its scripts, and once', async () => {
  await during(installation.visit({ isNew: true }), async (page) => {
    await withoutPolling(page);
    await goTo(page, '/console');
    const arrival = Promise.withResolvers<void>();
    await page.route('**/console/assets/*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const early = page.waitForRequest('**/console/api/overview');
    await page.reload({ waitUntil: 'commit' });
    await early;
    arrival.resolve();
    await settled(page);
    expect(asked.filter((path) => path === '/console/api/overview')).toHaveLength(1);
  });
});

test('a visitor who was signed in before sees the sign-in, and then the own data', async () => {
  await during(installation.visitAsStranger({ isNew: true }), async (page, visit) => {
    await page.addInitScript(() => localStorage.setItem('modelgate.frame', 'menu'));
    visit.expectRefusal(/^401 GET \/console\/api\/(overview|wallets)$/);
    await goTo(page, '/console');
    await page.getByRole('textbox', { name: 'Email' }).fill(ADA.email);
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('a script that cannot be loaded is reported in the frame', async () => {
  await during(
    installation.visitAsStranger({ language: 'zh', isNew: true }),
    async (page, visit) => {
      visit.forget((problem) => problem.includes('ERR_FAILED'));
      await page.route('**/console/assets/libraries-*.js', (route) => route.abort());
      await page.goto('/console/sign-in');
      await page.getByRole('status').getByText('无法连接网关').waitFor();
    },
  );
});

test('a session that cannot be loaded is reported by the page', async () => {
  await during(installation.visitAsStranger({ isNew: true }), async (page, visit) => {
    visit.forget((problem) => /ERR_FAILED|cannot be reached/.test(problem));
    await page.route('**/console/api/session', (route) => route.abort());
    await page.goto('/console/sign-in');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.locator('.frame').count()).toBe(0);
  });
});

test('the API description is compressed', async () => {
  const response = await fetch(`${installation.gateway.url}/openapi.json`, {
    headers: { 'accept-encoding': 'br' },
    decompress: false,
  });
  expect(response.headers.get('content-encoding')).toBe('br');
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(60_000);
});

for (const [path, limit] of Object.entries(MAX_REQUESTS)) {
  test(`${path} is complete after at most ${limit} requests, each of them made once`, async () => {
    const isPublic = path !== '/console';
    const visit = installation[isPublic ? 'visitAsStranger' : 'visit']({ isNew: true });
    await during(visit, async (page) => {
      // On a metered connection, the console loads nothing in advance. Without this, the code of
      // the command palette would count whenever the first screen takes longer than a second.
      await page.addInitScript(() => {
        const connection = { saveData: true, effectiveType: '4g' };
        Object.defineProperty(navigator, 'connection', { value: connection });
      });
      await withoutPolling(page);
      const requested: string[] = [];
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        requested.push(pathname + search);
      });
      await goTo(page, path);
      console.log(`${path}: ${requested.length} requests`);
      expect(requested).toEqual([...new Set(requested)]);
      expect(requested.length).toBeLessThanOrEqual(limit);
    });
  });
}

test('only the texts of the shown language and screen are loaded, until another is chosen', async () => {
  await during(installation.visitAsStranger({ language: 'zh', isNew: true }), async (page) => {
    const texts: string[] = [];
    page.on('request', (request) => {
      const [, name] = /\/assets\/texts-(.+)-[^/]{8}\.js$/.exec(request.url()) ?? [];
      if (name !== undefined) texts.push(name);
    });
    await goTo(page, '/console/sign-in');
    expect(texts.toSorted()).toEqual(['zh-shared', 'zh-sign-in']);
    texts.length = 0;
    await page.getByRole('button', { name: '语言与主题' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(texts.toSorted()).toEqual(['en-shared', 'en-sign-in']);
  });
});

test('traditional Chinese is made from the simplified texts, with the terms of Taiwan', async () => {
  await during(installation.visitAsStranger({ language: 'zh', isNew: true }), async (page) => {
    await page.addInitScript(() => localStorage.setItem('modelgate.language', 'zh-TW'));
    await goTo(page, '/console/sign-in');
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-TW');
    await page.getByRole('button', { name: '登入', exact: true }).waitFor();
  });
});
