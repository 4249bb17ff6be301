/** The tools that a provider runs for a request, and the limits of their cost. */
import type { GatewayError } from '../../errors.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import type { FeeUnit } from '../../money/served.ts';
import { unsupportedValue } from '../validation.ts';

/** A tool that the provider runs, as the request defines it. */
export type ServerTool = {
  readonly unit: FeeUnit;
  /** The type that the request names, such as `web_search_20260318`. */
  readonly type: string;
  /** Path of the tool, such as `tools[0]`. */
  readonly param: string;
  /** The maximum number of uses that the request allows; null when it sets no limit. */
  readonly maxUses: number | null;
  /**
   * Whether one result may fill the context window, because no field limits its length. A PDF, for
   * example, may fill it.
   */
  readonly mayFill: boolean;
  /** Whether the request is served without the tool if the price card does not sell it. */
  readonly isOptional?: true;
};

/** Returns a limit on uses, such as `max_uses`; null when it is missing or invalid. */
export const usesIn = (given: unknown): number | null =>
  typeof given === 'number' && Number.isSafeInteger(given) && given > 0 ? given : null;

/**
 * A tool whose uses and results are limited by parameters in the request. Only one kind of server
 * obeys these parameters.
 */
export type LimitedTool = {
  /** The tool's type as sent to the provider. */
  readonly type: string;
  /**
   * The engine as sent to the provider. It obeys all limits; other engines have other fees or
   * ignore limits.
   */
  readonly engine: string;
  /** The caller's parameters that are sent. Others could change the price, so they are refused. */
  readonly sent: readonly string[];
  /**
   * The number of results of a use: the default, and the maximum that one fee covers. Null for a
   * tool that reads a page.
   */
  readonly results: { readonly usual: number; readonly most: number } | null;
};
/** The limited tools of one kind of server, by the types that requests name. */
export type LimitedTools = Readonly<Record<string, LimitedTool>>;

export type ToolLimits = {
  /** The maximum number of uses of a tool for which the request sets no limit. */
  readonly uses: number;
  /**
   * The maximum number of tokens that a use adds to the prompt; infinite if a result may fill the
   * context window.
   */
  readonly tokensPerUse: number;
};

/** The maximum number of uses of a tool if the price card sets no limit. */
const DEFAULT_USES = 10;
/** The maximum number of input tokens that a use adds if the price card sets no limit. */
const DEFAULT_TOKENS_PER_USE = 50_000;

/**
 * Returns the price card's limits for a tool. The hold covers the tool's cost up to these limits.
 */
export const toolLimits = (
  { unit, mayFill }: Pick<ServerTool, 'unit' | 'mayFill'>,
  { uses, tokensPerUse }: CardLimits,
): ToolLimits => ({
  uses: uses[unit] ?? DEFAULT_USES,
  tokensPerUse: tokensPerUse[unit] ?? (mayFill ? Number.POSITIVE_INFINITY : DEFAULT_TOKENS_PER_USE),
});

/**
 * Returns the `max_content_tokens` to send. Providers may exceed it by a tenth, so it is lower than
 * the tokens that the hold covers.
 */
export const contentTokens = (asked: unknown, { tokensPerUse }: ToolLimits): number =>
  Math.min(usesIn(asked) ?? tokensPerUse, Math.floor((tokensPerUse * 10) / 11));

/** The error for a tool whose uses neither the request nor the price card limits. */
export const unlimitedTool = ({ type, param }: ServerTool): GatewayError =>
  unsupportedValue(
    `${param}.type`,
    `the provider charges for each use of "${type.slice(0, MAX_SHOWN_CHARACTERS)}", and the number ` +
      'of uses cannot be limited, so it is not sold; remove it, or define a tool of your own',
  );
const MAX_SHOWN_CHARACTERS = 64;
