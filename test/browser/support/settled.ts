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

/**
 * Waits until the page of the present address is shown, and for its heading, the end of loading and
 * the end of color transitions. The address changes first: until the code of the next page is there
 * and React has rendered it, the page before it is shown.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction((loading) => {
    // TanStack Router puts itself there; `resolvedLocation` is that of the page on the screen.
    const router = Reflect.get(window, '__TSR_ROUTER__');
    return (
      router?.latestLocation.href === router?.state.resolvedLocation?.href &&
      router?.state.status === 'idle' &&
      document.querySelector(loading) === null &&
      document.fonts.status === 'loaded' &&
      !document.getAnimations().some((animation) => animation instanceof CSSTransition)
    );
  }, LOADING);
}
