/** For tests: waits until a page has finished loading, by its content instead of by time. */
import type { Page } from 'playwright-core';

/** Present while something is loading. */
const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"]';

/** Opens an address and waits until the page has finished loading. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
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
