/**
 * The ratios of models' output prices to their input prices, for models whose ratio no option of
 * one-api sets. From relay/billing/ratio/model.go of one-api 0.6.11, read on 2026-11-23.
 */
import { type Exact, wholeNumber } from '../exact.ts';

const ratio = (over: bigint, under = 1n): Exact => ({ over, under });

/** Ratios by a pattern of model names. The first pattern that matches applies. */
const RATIOS: readonly (readonly [RegExp, Exact])[] = [
  [/^gpt-3\.5(?:-turbo$|.*0125$)/, ratio(3n)],
  [/^gpt-3\.5.*1106$/, ratio(2n)],
  [/^gpt-3\.5/, ratio(4n, 3n)],
  [/^gpt-4o-2024-05-13$/, ratio(3n)],
  [/^gpt-4o/, ratio(4n)],
  [/^gpt-4(?:-turbo|.*preview$)/, ratio(3n)],
  [/^gpt-4/, ratio(2n)],
  [/^o1/, ratio(4n)],
  [/^chatgpt-4o-latest$/, ratio(3n)],
  [/^claude-3/, ratio(5n)],
  [/^(?:claude-|mistral-|gemini-)/, ratio(3n)],
  [/^deepseek-/, ratio(2n)],
  [/^llama2-70b-4096$/, ratio(5n, 4n)],
  [/^llama3-8b-8192$/, ratio(2n)],
  [/^llama3-70b-8192$/, ratio(79n, 59n)],
  [/^command(?:-light|-nightly|-light-nightly)?$/, ratio(2n)],
  [/^(?:command-r|grok-beta)$/, ratio(3n)],
  [/^command-r-plus$/, ratio(5n)],
];

export const completionRatio = (model: string): Exact =>
  RATIOS.find(([pattern]) => pattern.test(model))?.[1] ?? wholeNumber(1n);
