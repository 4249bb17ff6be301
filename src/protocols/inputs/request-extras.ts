/**
 * Defines what can add to the cost of a request besides its text and media, such as a tier or the
 * provider's tools. Also computes the tokens that tools add, and whether a request may cause
 * thinking.
 */
import { asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import { type FactValues, NO_FACTS } from '../../money/price-of.ts';
import { type Claim, unpriced } from '../request-fields.ts';
import type { ServerTool } from './server-tools.ts';

export type RequestExtras = {
  /** The service tier, speed and region of inference that the request names. */
  readonly requested: FactValues;
  readonly serverTools: readonly ServerTool[];
  /** The tokens that providers add to the prompt because of the request's tools. */
  readonly addedTokens: number;
  /**
   * Whether the provider may first summarize the prompt, which it bills in addition to the answer.
   */
  readonly compacts: boolean;
};
export const NO_EXTRAS: RequestExtras = {
  requested: NO_FACTS,
  serverTools: [],
  addedTokens: 0,
  compacts: false,
};

/** Prompt tokens that a provider adds to any request with tools (Anthropic, 2026-08). */
const TOOL_PROMPT_TOKENS = 804;
/** Prompt tokens of the tools that a provider defines, by the prefix of the tool's type. */
const DEFINED_TOOLS: readonly (readonly [string, number])[] = [
  ['computer', 4_590],
  ['browser', 7_550],
  ['text_editor', 700],
  ['memory', 700],
  ['bash', 325],
];

/** Returns the number of tokens that providers add to a prompt because of these tools. */
export function addedTokens(tools: readonly unknown[]): number {
  if (tools.length === 0) return 0;
  let tokens = TOOL_PROMPT_TOKENS;
  for (const tool of tools) tokens += definitionTokens(tool);
  return tokens;
}

function definitionTokens(tool: unknown): number {
  const type = Object(tool).type;
  if (typeof type !== 'string') return 0;
  return DEFINED_TOOLS.find(([beginning]) => type.startsWith(beginning))?.[1] ?? 0;
}

/** The fields by which requests turn on thinking on the various chat servers. */
const THINKING_FIELDS = [
  ...['reasoning_effort', 'reasoning', 'include_reasoning', 'reasoning_format', 'prompt_mode'],
  ...['thinking', 'enable_thinking', 'thinking_budget', 'thinking_token_budget', 'think'],
  ...['chat_template_kwargs', 'extra_body'],
] as const;
const OFF: ReadonlySet<unknown> = new Set([undefined, null, false, 0, 'none', 'off', 'disabled']);
/** Members that control whether thinking is returned, but not whether the model thinks. */
const SHOWING: ReadonlySet<string> = new Set([
  ...['exclude', 'summary', 'generate_summary', 'display', 'keep', 'clear_thinking'],
]);

/**
 * Whether a request may cause thinking, which an upstream may bill without returning it. If two
 * switches contradict each other, the one that requests thinking applies, because it costs more.
 */
export function mayThink(body: JsonObject): boolean {
  for (const name of THINKING_FIELDS) if (isOn(body[name])) return true;
  return false;
}

const isOn = (value: unknown): boolean =>
  isJsonObject(value) ? isSwitchOn(value) : !OFF.has(value);

function isSwitchOn(value: JsonObject): boolean {
  const { type, enabled, effort } = value;
  const isSwitchedOff = type === 'disabled' || enabled === false || effort === 'none';
  return Object.entries(value).some(
    ([name, each]) => !(isSwitchedOff && SHOWING.has(name)) && isOn(each),
  );
}

export const LONG_CACHE = unpriced('only "30m" has a price here; omit it');

/**
 * Adds a claim for a cache lifetime other than 30 minutes, because the usual price of cache writes
 * does not cover it.
 * @param options the value of `prompt_cache_options` or `prompt_cache_breakpoint`.
 */
export function claimCacheLifetime(options: unknown, path: string, claims: Claim[]): void {
  const ttl = asJsonObject(options)?.['ttl'] ?? '30m';
  if (ttl === '30m') return;
  claims.push({ param: `${path}.ttl`, rule: LONG_CACHE, value: ttl, only: 'untranslated' });
}
