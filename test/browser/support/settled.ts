/**
 * For tests: waits until a page has loaded. Checks the page's content instead of waiting for a
 * fixed time.
 */
import type { Page } from 'playwright-core';

/** Matches elements that the console shows only while a page is loading. */
const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"]';

/**
 * The interval of the checks. By default, Playwright checks at each frame, which makes the browser
 * draw 60 frames per second while it loads a page.
 */
const POLL_MS = 30;

/** Opens a URL and waits until the page has loaded. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** Opens a URL of the console as its links do, without a full page load. */
export async function navigateTo(page: Page, address: string): Promise<void> {
  await page.evaluate((path) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = '';
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.waitForFunction(
    () =>
      document.querySelector('h1:not([data-left])') !== null &&
      document.querySelector('h1[data-left]') === null,
    null,
    { polling: POLL_MS },
  );
  await settled(page);
}

/**
 * Waits until the page of the current URL is shown with its heading, everything is loaded, and all
 * transitions have ended. Compares URLs, because the previous page is shown until the code of the
 * next page is loaded and rendered.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const isSettled = (loading: string): boolean => {
    // TanStack Router stores itself in this variable. `resolvedLocation` is the URL of the shown
    // page.
    const router = Reflect.get(window, '__TSR_ROUTER__');
    return (
      router?.latestLocation.href === router?.state.resolvedLocation?.href &&
      router?.state.status === 'idle' &&
      document.querySelector(loading) === null &&
      document.fonts.status === 'loaded' &&
      !document.getAnimations().some((animation) => animation instanceof CSSTransition)
    );
  };
  await page.waitForFunction(isSettled, LOADING, { polling: POLL_MS });
}
