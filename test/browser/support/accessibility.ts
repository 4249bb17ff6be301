/** For tests: accessibility violations that axe-core finds, with their location. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG up to 2.2, levels A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks the elements within `root`, or the whole page. Empty: no violations. */
export async function violationsOf(page: Page, root = 'body'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async ([selector, rules]) => {
      const { axe: checker } = Object(window);
      return await checker.run(selector, {
        runOnly: { type: 'tag', values: rules },
        resultTypes: ['violations'],
      });
    },
    [root, RULES] as const,
  );
  return violations.flatMap(({ id, nodes }: axe.Result) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n  ${failureSummary}`),
  );
}
