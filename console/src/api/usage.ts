/** All rows of the usage report, across its pages. */
import { answerOf, api } from './client.ts';
import { given } from './given.ts';
import type { components, paths } from './schema.gen.ts';

export type UsageRow = components['schemas']['UsageRow'];
type Query = NonNullable<paths['/console/api/usage']['get']['parameters']['query']>;
type Page = { readonly data: readonly UsageRow[]; readonly next: string | null };

/** The API's maximum page size. */
const PAGE_ROWS = 1_000;
/**
 * The most rows that a page can render at once. Beyond that, the person has to narrow the report.
 */
const MAX_ROWS = 20_000;

export type UsageRows = {
  readonly rows: readonly UsageRow[];
  /** False when there are more rows than were read. */
  readonly isWhole: boolean;
};

export async function usageRows(
  query: Omit<Query, 'limit' | 'after'>,
  signal: AbortSignal,
): Promise<UsageRows> {
  const rows: UsageRow[] = [];
  for (let after: string | null = ''; rows.length < MAX_ROWS; ) {
    const parameters = { ...query, ...given({ after }), limit: PAGE_ROWS };
    const page: Page = await answerOf(
      api.GET('/console/api/usage', { params: { query: parameters }, signal }),
    );
    rows.push(...page.data);
    after = page.next;
    if (after === null) return { rows, isWhole: true };
  }
  return { rows, isWhole: false };
}
