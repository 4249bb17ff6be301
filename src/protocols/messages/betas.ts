/**
 * The values of the `anthropic-beta` header that are sent to upstreams. Other values are not
 * refused, but reported to the caller as ignored, because clients add many values automatically.
 * Most values only unlock request fields, and the field rules decide which of these are sent.
 */
import type { Admits, CardTerms } from '../../money/card-terms.ts';
import type { UpstreamFields } from '../request-fields.ts';

/**
 * The conditions that the price card and the model must meet before a value of `anthropic-beta` is
 * sent.
 */
type BetaNeed = { readonly [Name in keyof Admits]?: Admits[Name][number] } & {
  /**
   * The context window, in tokens, that the value unlocks. The model's context window must be at
   * least as large, because holds cover no more than the model's context window.
   */
  readonly contextWindow?: number;
};

const ANY: BetaNeed = {};
const betas = (values: string, need: BetaNeed): readonly (readonly [string, BetaNeed])[] =>
  values.split(' ').map((value) => [value, need]);

/**
 * The header values that are sent to upstreams, collected on 2026-11-22 from the packages
 * `anthropic` 2.12.0 and `@anthropic-ai/claude-code` 2.1.328.
 */
const SENT: ReadonlyMap<string, BetaNeed> = new Map([
  ...betas('token-counting-2024-11-01 prompt-caching-2024-07-31 pdfs-2024-09-25', ANY),
  ...betas('message-batches-2024-09-24 token-efficient-tools-2025-02-19', ANY),
  ...betas('structured-outputs-2025-11-13 structured-outputs-2025-12-15 effort-2025-11-24', ANY),
  ...betas('thinking-token-count-2026-05-13 thinking-display-updates-2026-08-18', ANY),
  ...betas('thinking-binding-controls-2026-08-01 redact-thinking-2026-02-12', ANY),
  ...betas('model-context-window-exceeded-2025-08-26 mid-conversation-system-2026-04-07', ANY),
  ...betas('mid-conversation-tool-changes-2026-07-01 inline-tools-2026-09-15', ANY),
  ...betas('mid-conversation-output-config-2026-07-01 claude-code-20250219', ANY),
  ...betas('mid-conversation-system-clear-at-2026-08-21 prompt-caching-scope-2026-01-05', ANY),
  ...betas('fine-grained-tool-streaming-2025-05-14 advanced-tool-use-2025-11-20', ANY),
  ...betas('tool-search-tool-2025-10-19', ANY),
  // These betas may add tokens, but never more than the hold covers.
  ...betas('output-128k-2025-02-19 output-300k-2026-03-24', ANY),
  ...betas('context-1m-2025-08-07', { contextWindow: 1_000_000 }),
  ...betas('interleaved-thinking-2025-05-14 dev-full-thinking-2025-05-14', ANY),
  ...betas('context-management-2025-06-27 task-budgets-2026-03-13', ANY),
  ...betas('compact-2026-01-12 compact-2026-09-04', ANY),
  ...betas('computer-use-2024-10-22 computer-use-2025-01-24 computer-use-2025-11-24', ANY),
  ...betas('extended-cache-ttl-2025-04-11', { cacheTtl: '1h' }),
  ...betas('fast-mode-2026-02-01', { speed: 'fast' }),
  ...betas('web-search-2025-03-05', { tools: 'web_search' }),
  ...betas('code-execution-2025-05-22', { tools: 'code_execution' }),
]);

export type SentHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `anthropic-beta` that are not sent to the upstream. */
  readonly ignored: readonly string[];
};

const NONE: readonly string[] = [];

/**
 * Returns the headers for an upstream, with only those values of `anthropic-beta` that it may get.
 */
export function sentHeaders(
  given: SentHeaders['headers'],
  { admits, contextWindow }: Pick<CardTerms, 'admits'> & { readonly contextWindow: number },
  pass: UpstreamFields['pass'],
): SentHeaders {
  const betas = given['anthropic-beta'];
  if (betas === undefined || pass === 'all') return { headers: given, ignored: NONE };
  const values = betas.split(',').flatMap((value) => value.trim() || []);
  const ignored = values.filter(
    (value) => !pass.has(value) && !isAdmitted(SENT.get(value), admits, contextWindow),
  );
  if (ignored.length === 0) return { headers: given, ignored };
  const { 'anthropic-beta': _, ...others } = given;
  const sent = values.filter((value) => !ignored.includes(value));
  return {
    headers: sent.length === 0 ? others : { ...others, 'anthropic-beta': sent.join(',') },
    ignored,
  };
}

function isAdmitted(need: BetaNeed | undefined, admits: Admits, contextWindow: number): boolean {
  if (need === undefined) return false;
  const { tools, speed, cacheTtl } = need;
  return (
    contextWindow >= (need.contextWindow ?? 0) &&
    (tools === undefined || admits.tools.includes(tools)) &&
    (speed === undefined || admits.speed.includes(speed)) &&
    (cacheTtl === undefined || admits.cacheTtl.includes(cacheTtl))
  );
}
