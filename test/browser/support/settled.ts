/** For tests: a page that is all there. Waits for what it shows, never for time. */
import type { Page } from 'playwright-core';

/** Stands where something is still loading. */
const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"]';

/** Goes to an address, and waits until the page there is all there. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** Waits until the page has its heading, nothing in it is loading any more and no colour is on its way. */
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
