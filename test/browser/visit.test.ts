/**
 * Tests that the content security policy restricts the console's pages, and that the test browser
 * detects violations.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { sharedChromium } from './support/chromium.ts';
import { startConsoleGateway } from './support/console-gateway.ts';
import { OPENING_MS } from './support/installation.ts';
import { closeWindows, during, openVisit } from './support/visit.ts';

let browser: Browser;
let gateway: GatewayProcess;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([sharedChromium(), startConsoleGateway()]);
}, OPENING_MS);
afterAll(async () => {
  await closeWindows(browser, gateway.url);
  await gateway[Symbol.asyncDispose]();
});

/** Runs `act` on a page. Returns the problems that occurred; null if no problem occurred. */
async function faultOf(act: (page: Page) => Promise<unknown>): Promise<string | null> {
  const visit = during(openVisit(browser, gateway.url), async (page, { problems }) => {
    await page.goto('/console');
    await page.getByRole('heading').first().waitFor();
    expect(problems()).toEqual([]);
    await act(page);
    // The browser reports events in order. Once this message has arrived, all problems of `act`
    // have arrived too.
    await page.evaluate(() => console.info('done'));
  });
  return await visit.then(
    () => null,
    (thrown: Error) => thrown.message,
  );
}

test('a page of the console obeys its policy', async () => {
  expect(await faultOf((page) => page.reload())).toBeNull();
});

test('an injected script does not run', async () => {
  const problems = await faultOf(async (page) => {
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.smuggled = true';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'smuggled' in window)).toBe(false);
  });
  expect(problems).toContain('Content Security Policy');
});

test('a style element without the nonce is blocked', async () => {
  const problems = await faultOf((page) =>
    page.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.head.append(style);
    }),
  );
  expect(problems).toContain('style-src');
});

test('an image from another site is not requested', async () => {
  const problems = await faultOf((page) =>
    page.evaluate(async () => {
      const picture = new Image();
      picture.src = 'https://elsewhere.test/seen.png';
      await new Promise((resolve) => picture.addEventListener('error', resolve));
    }),
  );
  expect(problems).toContain('img-src');
});

test('console errors, script errors and error responses are all reported', async () => {
  expect(await faultOf((page) => page.evaluate(() => console.error('ouch')))).toContain('ouch');
  expect(await faultOf((page) => page.evaluate(() => fetch('/console/assets/none.js')))).toContain(
    '404 GET /console/assets/none.js',
  );
  const faults = await faultOf((page) =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          window.addEventListener('error', resolve);
          queueMicrotask(() => {
            throw new Error('nobody catches this');
          });
        }),
    ),
  );
  expect(faults).toContain('nobody catches this');
});
