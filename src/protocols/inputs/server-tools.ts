/** The tools that a provider runs for a request, and the limits that bound their cost. */
import type { GatewayError } from '../../errors.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import type { FeeUnit } from '../../money/served.ts';
import { unsupportedValue } from '../validation.ts';

/** A tool in a request that the provider runs. */
export type ServerTool = {
  readonly unit: FeeUnit;
  /** The type in the request, such as `web_search_20260318`. */
  readonly type: string;
  /** The path of the tool, such as `tools[0]`. */
  readonly param: string;
  /** The maximum number of uses that the request sets; null if it sets none. */
  readonly maxUses: number | null;
  /**
   * Whether a single result, such as a PDF, may fill the context window, because no field limits
   * its length.
   */
  readonly mayFill: boolean;
  /**
   * Whether the tool is omitted from the request if the price card does not sell it. Otherwise, the
   * request is refused.
   */
  readonly isOptional?: true;
};

/** Returns a limit of uses, such as `max_uses`; null if it is missing or invalid. */
export const usesIn = (given: unknown): number | null =>
  typeof given === 'number' && Number.isSafeInteger(given) && given > 0 ? given : null;

/**
 * A tool whose uses and results can be limited by parameters in the request. Only one kind of
 * server (`UpstreamMake`) obeys these parameters.
 */
export type LimitedTool = {
  /** The type that is sent to the provider. */
  readonly type: string;
  /**
   * The search engine that is sent to the provider. It obeys all limits. Other engines have other
   * fees or ignore limits.
   */
  readonly engine: string;
  /**
   * The caller's parameters that are sent. Other parameters could change the price, so they are
   * refused.
   */
  readonly sent: readonly string[];
  /**
   * For a search tool, `usual` is the default number of results of one use, and `most` is the
   * maximum number that one fee covers. Null for a tool that reads a web page.
   */
  readonly results: { readonly usual: number; readonly most: number } | null;
};
/** The limited tools of one kind of server, by the type in the request. */
export type LimitedTools = Readonly<Record<string, LimitedTool>>;

export type ToolLimits = {
  /** The maximum number of uses if the request sets no limit. */
  readonly uses: number;
  /**
   * The maximum number of tokens that one use adds to the prompt; infinite if a result may fill the
   * context window.
   */
  readonly tokensPerUse: number;
};

/** The maximum number of uses of a tool for which the price card sets no limit. */
const DEFAULT_USES = 10;
/** The maximum number of input tokens that one use adds if the price card sets no limit. */
const DEFAULT_TOKENS_PER_USE = 50_000;

/**
 * Returns the limits of a tool from the price card. The hold covers the tool's cost up to these
 * limits.
 */
export const toolLimits = (
  { unit, mayFill }: Pick<ServerTool, 'unit' | 'mayFill'>,
  { uses, tokensPerUse }: CardLimits,
): ToolLimits => ({
  uses: uses[unit] ?? DEFAULT_USES,
  tokensPerUse: tokensPerUse[unit] ?? (mayFill ? Number.POSITIVE_INFINITY : DEFAULT_TOKENS_PER_USE),
});

/**
 * Returns the `max_content_tokens` to send. It is lower than the number of tokens that the hold
 * covers, because providers may exceed it by a tenth.
 */
export const contentTokens = (asked: unknown, { tokensPerUse }: ToolLimits): number =>
  Math.min(usesIn(asked) ?? tokensPerUse, Math.floor((tokensPerUse * 10) / 11));

/** The error for a tool whose uses are limited neither by the request nor by the price card. */
export const unlimitedTool = ({ type, param }: ServerTool): GatewayError =>
  unsupportedValue(
    `${param}.type`,
    `the provider charges for each use of "${type.slice(0, MAX_SHOWN_CHARACTERS)}", and the number ` +
      'of uses cannot be limited, so it is not sold; remove it, or define a tool of your own',
  );
const MAX_SHOWN_CHARACTERS = 64;
