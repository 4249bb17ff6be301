/** For tests: checks whether a page fits its width. */
import type { Locator, Page } from 'playwright-core';

/**
 * Returns the elements that make the page scroll sideways; empty if the page fits its width.
 * Ignores elements that scroll inside the page, such as wide tables.
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

/**
 * Returns why a part of an element's width is hidden. Either the element has no size, or the window
 * or an element that scrolls sideways cuts it off. Returns an empty list if the whole width is
 * visible.
 */
export const hiddenPartsOf = async (part: Locator): Promise<readonly string[]> => {
  await part.waitFor();
  return await part.evaluate((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width < 1 || height < 1) return ['no size'];
    const cuts: string[] = [];
    if (left < 0 || right > innerWidth + 1) cuts.push(`${left} to ${right} in ${innerWidth} px`);
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const frame = at.getBoundingClientRect();
      const isCut = left < frame.left - 1 || right > frame.right + 1;
      if (isCut && getComputedStyle(at).overflowX !== 'visible') {
        cuts.push(`cut off by <${at.tagName.toLowerCase()} class="${at.className}">`);
      }
    }
    return cuts;
  });
};
