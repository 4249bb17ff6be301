/** For tests: waits until a page has finished loading, by its content instead of by time. */
import type { Page } from 'playwright-core';

/** Present while something is loading. */
const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"]';

/** Opens an address and waits until the page has finished loading. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** Opens an address of the console without loading the console again, as its links do. */
export async function navigateTo(page: Page, address: string): Promise<void> {
  await page.evaluate((path) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = '';
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.waitForFunction(() => document.querySelector('h1:not([data-left])') !== null);
  await page.waitForFunction(() => document.querySelector('h1[data-left]') === null);
  await settled(page);
}

/** Waits for the heading, the end of loading and the end of color transitions. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    (loading) =>
      document.querySelector(loading) === null &&
      document.fonts.status === 'loaded' &&
      !document.getAnimations().some((animation) => animation instanceof CSSTransition),
    LOADING,
  );
}
