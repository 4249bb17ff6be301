/** Reads the usage and cost reports of providers, and converts them into bills. */
import * as z from 'zod';
import { built } from '../config/document/on-demand.ts';
import { DAY_MS, dateOf, dayOf } from '../money/calendar.ts';
import type { Bill, BillRow, Measure } from './bill.ts';
import { counted, money, type ReportPage, type ReportReader } from './report-reader.ts';

/** A range of days (UTC): the first and the last day, both included. */
export type DayRange = { readonly from: number; readonly to: number };

/**
 * The API key and the project that the upstream uses at the provider. Only usage with both of them
 * is read. A field that is null matches every key or project.
 */
export type ReportScope = {
  /** The provider's id of the upstream's API key. */
  readonly keyId: string | null;
  /** The id of OpenAI's project or of Anthropic's workspace. */
  readonly project: string | null;
};

export type ReadReport = (
  reader: ReportReader,
  days: DayRange,
  scope: ReportScope,
) => Promise<Bill>;

const text = built(() => z.string().nullish());
type Page<Result> = {
  readonly data: readonly { readonly day: number; readonly results: readonly Result[] }[];
  readonly has_more?: boolean | null | undefined;
  readonly next_page?: string | null | undefined;
};
const paged = <Bucket extends z.ZodType>(bucket: Bucket) =>
  z.object({ data: z.array(bucket), has_more: z.boolean().nullish(), next_page: text() });

/** Yields the results on all pages of a report, each with its day. */
async function* resultsOf<Result>(
  reader: ReportReader,
  page: ReportPage,
  schema: z.ZodType<Page<Result>>,
): AsyncGenerator<Result & { readonly day: number }> {
  const next = ({ has_more: hasMore, next_page: following }: Page<Result>) =>
    hasMore === true ? (following ?? '') : null;
  for await (const { data } of reader.pages(page, schema, next))
    for (const { day, results } of data) for (const result of results) yield { ...result, day };
}

/** Returns a function that checks whether a result's key and project are within the scope. */
const isWithin =
  ({ keyId, project }: ReportScope) =>
  (key: string | null | undefined, projectId: string | null | undefined): boolean =>
    (keyId === null || key === keyId) && (project === null || projectId === project);

// OpenAI, GET /v1/organization/usage/{completions,images} and /v1/organization/costs.
// A page has at most 31 daily buckets of usage, or 180 of costs.

const openAiBucket = <Result extends z.ZodType>(result: Result) =>
  paged(
    z
      .object({ start_time: z.string(), results: z.array(result) })
      .transform(({ start_time: start, results }) => ({
        day: dayOf(Number(start) * 1000),
        results,
      })),
  );
const openAiWho = built(() => ({ model: text(), project_id: text(), api_key_id: text() }));
const OPENAI_TOKENS = built(() =>
  openAiBucket(
    z.object({
      ...openAiWho(),
      input_tokens: counted(),
      input_cached_tokens: counted(),
      output_tokens: counted(),
      num_model_requests: counted(),
    }),
  ),
);
const OPENAI_IMAGES = built(() =>
  openAiBucket(z.object({ ...openAiWho(), images: counted(), num_model_requests: counted() })),
);
const OPENAI_COSTS = built(() =>
  openAiBucket(
    z.object({
      line_item: text(),
      project_id: text(),
      api_key_id: text(),
      amount: z.object({ value: money(), currency: z.literal(['usd', 'USD']) }),
    }),
  ),
);

/**
 * Returns the model of a line item such as `gpt-6-astra, input_tokens`; null for any other item.
 */
function modelOfLine(item: string | null | undefined): string | null {
  const end = item?.lastIndexOf(', ') ?? -1;
  return item === null || item === undefined || end <= 0 ? null : item.slice(0, end);
}

export const openAiReport: ReadReport = async (reader, days, scope) => {
  const rows: BillRow[] = [];
  const isOurs = isWithin(scope);
  const page = (path: string, by: readonly string[]) => ({
    path: `/v1/organization/${path}`,
    query: new URLSearchParams([
      ['start_time', String((days.from * DAY_MS) / 1000)],
      ['end_time', String(((days.to + 1) * DAY_MS) / 1000)],
      ['bucket_width', '1d'],
      ['limit', '31'],
      ...by.map((name) => ['group_by[]', name]),
    ]),
  });
  const who = ['model', 'project_id', 'api_key_id'];
  const tokens = page('usage/completions', who);
  for await (const it of resultsOf(reader, tokens, OPENAI_TOKENS())) {
    if (!isOurs(it.api_key_id, it.project_id)) continue;
    const sums = {
      requests: it.num_model_requests,
      prompt: it.input_tokens,
      cache_read: it.input_cached_tokens,
      output: it.output_tokens,
    };
    rows.push({ day: it.day, model: it.model ?? null, sums });
  }
  for await (const it of resultsOf(reader, page('usage/images', who), OPENAI_IMAGES())) {
    if (!isOurs(it.api_key_id, it.project_id)) continue;
    const sums = { requests: it.num_model_requests, images: it.images };
    rows.push({ day: it.day, model: it.model ?? null, sums });
  }
  const costs = page('costs', ['line_item', 'project_id', 'api_key_id']);
  for await (const it of resultsOf(reader, costs, OPENAI_COSTS())) {
    if (!isOurs(it.api_key_id, it.project_id)) continue;
    const model = modelOfLine(it.line_item);
    rows.push({ day: it.day, model, sums: { cost: it.amount.value } });
  }
  const measures = ['requests', 'prompt', 'cache_read', 'output', 'images', 'cost'] as const;
  return { currency: 'USD', measures, rows };
};

// Anthropic, GET /v1/organizations/usage_report/messages and /v1/organizations/cost_report. Costs
// are in cents. They are split by workspace but not by API key. Therefore the bill has no costs if
// the upstream has a key id but no workspace.

const anthropicBucket = <Result extends z.ZodType>(result: Result) =>
  paged(
    z
      .object({ starting_at: z.string(), results: z.array(result) })
      .transform(({ starting_at: start, results }) => ({ day: dayOf(Date.parse(start)), results })),
  );
const ANTHROPIC_TOKENS = built(() =>
  anthropicBucket(
    z.object({
      model: text(),
      workspace_id: text(),
      api_key_id: text(),
      uncached_input_tokens: counted(),
      cache_read_input_tokens: counted(),
      cache_creation: z
        .object({ ephemeral_5m_input_tokens: counted(), ephemeral_1h_input_tokens: counted() })
        .nullish(),
      output_tokens: counted(),
    }),
  ),
);
const ANTHROPIC_COSTS = built(() =>
  anthropicBucket(
    z.object({
      model: text(),
      workspace_id: text(),
      amount: money(-2),
      currency: z.literal('USD'),
    }),
  ),
);

export const anthropicReport: ReadReport = async (reader, days, scope) => {
  const rows: BillRow[] = [];
  const isOurs = isWithin(scope);
  const page = (path: string, by: readonly string[]) => ({
    path: `/v1/organizations/${path}`,
    query: new URLSearchParams([
      ['starting_at', `${dateOf(days.from)}T00:00:00Z`],
      ['ending_at', `${dateOf(days.to + 1)}T00:00:00Z`],
      ['bucket_width', '1d'],
      ['limit', '31'],
      ...by.map((name) => ['group_by[]', name]),
    ]),
  });
  const tokens = page('usage_report/messages', ['model', 'workspace_id', 'api_key_id']);
  for await (const it of resultsOf(reader, tokens, ANTHROPIC_TOKENS())) {
    if (!isOurs(it.api_key_id, it.workspace_id)) continue;
    const { ephemeral_5m_input_tokens: short = 0n, ephemeral_1h_input_tokens: long = 0n } =
      it.cache_creation ?? {};
    const [read, written] = [it.cache_read_input_tokens, short + long];
    const sums = {
      prompt: it.uncached_input_tokens + read + written,
      cache_read: read,
      cache_write: written,
      output: it.output_tokens,
    };
    rows.push({ day: it.day, model: it.model ?? null, sums });
  }
  const measures: Measure[] = ['prompt', 'cache_read', 'cache_write', 'output'];
  if (scope.keyId !== null && scope.project === null) return { currency: 'USD', measures, rows };
  const costs = page('cost_report', ['workspace_id', 'description']);
  for await (const it of resultsOf(reader, costs, ANTHROPIC_COSTS())) {
    if (!isOurs(scope.keyId, it.workspace_id)) continue;
    rows.push({ day: it.day, model: it.model ?? null, sums: { cost: it.amount } });
  }
  return { currency: 'USD', measures: [...measures, 'cost'], rows };
};

// OpenRouter, GET /api/v1/activity. It has the last 30 complete days, one day per call.

const OPENROUTER_ACTIVITY = built(() =>
  z.object({
    data: z.array(
      z.object({
        date: z.string(),
        model: z.string(),
        usage: money(),
        requests: counted(),
        prompt_tokens: counted(),
        completion_tokens: counted(),
      }),
    ),
  }),
);

export const openRouterReport: ReadReport = async (reader, days, { keyId }) => {
  const rows: BillRow[] = [];
  for (let day = days.from; day <= days.to; day += 1) {
    const query = new URLSearchParams({ date: dateOf(day) });
    if (keyId !== null) query.set('api_key_hash', keyId);
    const { data } = await reader.read({ path: '/v1/activity', query }, OPENROUTER_ACTIVITY());
    for (const it of data) {
      if (it.date.slice(0, 10) !== dateOf(day)) continue;
      const sums = {
        requests: it.requests,
        prompt: it.prompt_tokens,
        output: it.completion_tokens,
        cost: it.usage,
      };
      rows.push({ day, model: it.model, sums });
    }
  }
  return { currency: 'USD', measures: ['requests', 'prompt', 'output', 'cost'], rows };
};
