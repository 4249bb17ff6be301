/** Reads all pages of the usage report. */
import { answerOf, api } from './client.ts';
import { given } from './given.ts';
import type { components, paths } from './schema.gen.ts';

export type UsageRow = components['schemas']['UsageRow'];
type Query = NonNullable<paths['/console/api/usage']['get']['parameters']['query']>;
type Page = { readonly data: readonly UsageRow[]; readonly next: string | null };

/** The API's maximum page size. */
const PAGE_ROWS = 1_000;
/**
 * The maximum number of rows that the console reads. Summarizing more rows would block the page for
 * a noticeable time.
 */
const MAX_ROWS = 5_000;

export type UsageRows = {
  readonly rows: readonly UsageRow[];
  /** Whether `rows` is the complete report; false when the report exceeds the maximum. */
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
