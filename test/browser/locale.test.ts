/**
 * Tests that lists, filters and charts show times in the format of a person's region and in their
 * time zone. A bar of a chart must open exactly the requests that it counts. Counts by UTC day are
 * marked with "UTC".
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 1_500, days: 20, seed: 7 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const bars = (page: Page, name: string): Locator =>
  page.getByRole('figure', { name }).getByRole('slider');

/**
 * Selects a bar of a chart with the keyboard, and opens the list of the bar's requests. Returns the
 * bar's text and the number of requests that the text states.
 */
async function openBar(page: Page, chart: string, ...keys: readonly string[]) {
  const slider = bars(page, chart);
  await slider.focus();
  for (const key of keys) await page.keyboard.press(key);
  const text = (await slider.getAttribute('aria-valuetext')) ?? '';
  const total = /Total ([\d,]+)/.exec(text)?.[1] ?? 'none';
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/requests\?.*from=/);
  await settled(page);
  return { text, total: Number(total.replace(',', '')) };
}

/** Returns the times of all requests that the page lists, newest first. */
async function listedTimes(page: Page): Promise<readonly string[]> {
  const { searchParams } = new URL(page.url());
  const query = new URLSearchParams({ limit: '1000' });
  for (const name of ['from', 'to', 'model']) {
    const value = searchParams.get(name);
    if (value !== null) query.set(name, value);
  }
  const { data } = await page.evaluate(
    async (address): Promise<{ readonly data: readonly { readonly at: string }[] }> =>
      (await fetch(address)).json(),
    `/console/api/requests?${query}`,
  );
  return data.map(({ at }) => at);
}

const firstTime = (page: Page): Promise<string> =>
  page.getByRole('table', { name: 'Requests' }).locator('time').first().innerText();

const CASES = [
  { locale: 'en-US', timeZone: 'America/Los_Angeles', dayOf: /(\w{3} \d+), \d{4}: / },
  { locale: 'en-GB', timeZone: 'Asia/Tehran', dayOf: /(\d+ \w{3}) \d{4}: / },
];

for (const { dayOf, ...place } of CASES) {
  test(`in ${place.timeZone}, a bar opens exactly the requests of its day`, async () => {
    await during(installation.visit(place), async (page) => {
      const inZone = new Intl.DateTimeFormat('sv', {
        timeZone: place.timeZone,
        dateStyle: 'short',
      });
      for (const keys of [['Home'], ['End'], ['Home', 'ArrowRight', 'ArrowRight']]) {
        await goTo(page, '/console/requests?range=7d');
        const { text, total } = await openBar(page, 'Requests over time', ...keys);
        const times = await listedTimes(page);
        expect(times.length).toBe(total);
        expect(new Set(times.map((at) => inZone.format(Date.parse(at)))).size).toBeLessThan(2);
        const day = dayOf.exec(text)?.[1] ?? 'no day';
        if (total > 0) expect(await firstTime(page)).toStartWith(`${day}, `);
        expect(await page.getByText(`· ${place.timeZone}`).innerText()).toContain(day);
      }
    });
  });
}

test('the usage is marked UTC, and its bars open exactly their requests', async () => {
  await during(installation.visit({ timeZone: 'America/Phoenix' }), async (page) => {
    await goTo(page, '/console/usage?range=7d');
    const charts = await page.getByRole('slider').count();
    expect(await page.getByText('UTC', { exact: true }).count()).toBe(charts);
    const { total } = await openBar(page, 'Requests', 'Home', 'ArrowRight');
    expect((await listedTimes(page)).length).toBe(total);
    // In Phoenix, a UTC day begins at 17:00 of the day before, in summer and winter.
    expect(await page.getByText('· America/Phoenix').innerText()).toMatch(/17:00\s–/);
  });
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/usage?range=7d');
    expect(await page.getByText('UTC', { exact: true }).count()).toBe(0);
  });
});

test('a chosen day is a day of the time zone', async () => {
  await during(installation.visit({ timeZone: 'Asia/Shanghai' }), async (page) => {
    await goTo(page, '/console/requests?range=7d');
    await page.getByText('Custom', { exact: true }).click();
    await page.waitForURL(/from=/);
    const to = page.getByRole('textbox', { name: 'To', exact: true });
    const [month = '', date = '', year = ''] = (await to.inputValue()).split('/');
    const day = `${year}-${month}-${date}`;
    await page.getByRole('textbox', { name: 'From', exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(`${Number(month)}/${Number(date)}/${year}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/T16%3A00%3A00.000Z|T16:00:00.000Z/);
    const { searchParams } = new URL(page.url());
    const [start = '', end = ''] = ['from', 'to'].map((name) => searchParams.get(name) ?? '');
    expect(Date.parse(end) - Date.parse(start)).toBe(86_400_000);
    expect(Date.parse(end)).toBe(Date.parse(`${day}T16:00:00Z`));
  });
});

test('the time zone of the profile holds at once and after a reload', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/requests?range=7d');
    const inUtc = await firstTime(page);
    await goTo(page, '/console/profile');
    const field = page.getByRole('combobox', { name: 'Show times in' });
    await field.fill('Tehran');
    await page.getByRole('option', { name: 'Asia/Tehran' }).click();
    await goTo(page, '/console/requests?range=7d');
    const shown = await firstTime(page);
    const minutes = (time: string): number => {
      const [, hour = '', minute = ''] = /(\d+):(\d+)$/.exec(time) ?? [];
      return Number(hour) * 60 + Number(minute);
    };
    expect((minutes(shown) - minutes(inUtc) + 1_440) % 1_440).toBe(210);
    expect(await page.getByText('· Asia/Tehran').count()).toBe(1);
  });
});

test.each([
  ['zh', 'zh-CN', '年/月/日', '2031/1/5', '2031/01/05', '例如 2027/01/31'],
  ['en', 'en-GB', 'dd/mm/yyyy', '5/1/31', '05/01/2031', 'such as 31/01/2027'],
] as const)(
  'a date is typed as in the region, in %s %s',
  async (language, locale, pattern, typed, shown, hint) => {
    await during(
      installation.visit({ language, locale, timeZone: 'Asia/Shanghai' }),
      async (page) => {
        const say = wordsOf(language);
        await goTo(page, '/console/keys?new=true');
        const form = page.getByRole('dialog');
        await form.getByRole('textbox', { name: say('Name') }).fill(`region ${locale}`);
        await form.getByRole('combobox', { name: say('Expires') }).click();
        await page.getByRole('option', { name: say('On a date') }).click();
        const field = form.getByPlaceholder(pattern);
        expect(await field.inputValue()).toMatch(/^[\d/]{10}$/);
        await field.fill('soon');
        await page.keyboard.press('Tab');
        await form.getByText(hint).waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await form.getByRole('button', { name: say('Create key') }).click();
        expect(await form.isVisible()).toBe(true);
        await field.fill(typed);
        await page.keyboard.press('Tab');
        expect(await field.inputValue()).toBe(shown);
        const [request] = await Promise.all([
          page.waitForRequest((sent) => sent.method() === 'POST' && /keys$/.test(sent.url())),
          form.getByRole('button', { name: say('Create key') }).click(),
        ]);
        expect(request.postDataJSON().expires_at).toBe('2031-01-05T15:59:59.000Z');
      },
    );
  },
);
