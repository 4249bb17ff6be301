/** For tests: whether a page fits its width. */
import type { Page } from 'playwright-core';

/**
 * The elements that make the page scroll sideways. Elements that scroll by themselves, such as wide
 * tables, do not count. Empty: it fits.
 */
export const overflowOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        element.getBoundingClientRect().right > clientWidth + 1 && !scrolls(element.parentElement),
    );
    const named = wide.map(
      (element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class')}">`,
    );
    return [`${scrollWidth} px in a window of ${clientWidth} px`, ...named];
  });
