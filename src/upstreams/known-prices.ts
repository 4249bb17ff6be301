/**
 * Prices of well-known models, which the console suggests in the form for connecting a provider.
 * Models whose price depends on the length of the prompt are left out. The prices are those of
 * models.dev; `modelgate prices diff` compares them with newer data.
 */
import type { UpstreamMake } from '../config/upstream-schema.ts';

/** The source of the prices, and the day of its data. */
export const KNOWN_PRICES_SOURCE = 'models.dev, 2026-07-02';

/** A price in USD per 1M tokens. */
type Price = readonly [input: string, output: string];

const PRICES: Readonly<Partial<Record<UpstreamMake, Readonly<Record<string, Price>>>>> = {
  openai: {
    'gpt-4.1': ['2.00', '8.00'],
    'gpt-4.1-mini': ['0.40', '1.60'],
    'gpt-4.1-nano': ['0.10', '0.40'],
    'gpt-5': ['1.25', '10.00'],
    'gpt-5-codex': ['1.25', '10.00'],
    'gpt-5-mini': ['0.25', '2.00'],
    'gpt-5-nano': ['0.05', '0.40'],
    'gpt-5-pro': ['15.00', '120.00'],
    'gpt-5.1': ['1.25', '10.00'],
    'gpt-5.1-codex': ['1.25', '10.00'],
    'gpt-5.1-codex-max': ['1.25', '10.00'],
    'gpt-5.1-codex-mini': ['0.25', '2.00'],
    'gpt-5.2': ['1.75', '14.00'],
    'gpt-5.2-codex': ['1.75', '14.00'],
    'gpt-5.2-pro': ['21.00', '168.00'],
    'gpt-5.3-codex': ['1.75', '14.00'],
    'gpt-5.4-mini': ['0.75', '4.50'],
    'gpt-5.4-nano': ['0.20', '1.25'],
    'o1-pro': ['150.00', '600.00'],
    o3: ['2.00', '8.00'],
    'o3-pro': ['20.00', '80.00'],
    'o4-mini': ['1.10', '4.40'],
  },
  anthropic: {
    'claude-fable-5': ['10.00', '50.00'],
    'claude-haiku-4-5': ['1.00', '5.00'],
    'claude-haiku-4-5-20251001': ['1.00', '5.00'],
    'claude-opus-4-0': ['15.00', '75.00'],
    'claude-opus-4-1': ['15.00', '75.00'],
    'claude-opus-4-1-20250805': ['15.00', '75.00'],
    'claude-opus-4-20250514': ['15.00', '75.00'],
    'claude-opus-4-5': ['5.00', '25.00'],
    'claude-opus-4-5-20251101': ['5.00', '25.00'],
    'claude-opus-4-6': ['5.00', '25.00'],
    'claude-opus-4-7': ['5.00', '25.00'],
    'claude-opus-4-8': ['5.00', '25.00'],
    'claude-sonnet-4-0': ['3.00', '15.00'],
    'claude-sonnet-4-20250514': ['3.00', '15.00'],
    'claude-sonnet-4-5': ['3.00', '15.00'],
    'claude-sonnet-4-5-20250929': ['3.00', '15.00'],
    'claude-sonnet-4-6': ['3.00', '15.00'],
    'claude-sonnet-5': ['2.00', '10.00'],
  },
  gemini: {
    'gemini-2.5-flash': ['0.30', '2.50'],
    'gemini-2.5-flash-lite': ['0.1', '0.4'],
    'gemini-3-flash-preview': ['0.50', '3.00'],
    'gemini-3.1-flash-lite': ['0.25', '1.50'],
    'gemini-3.5-flash': ['1.50', '9.00'],
  },
  deepseek: {
    'deepseek-chat': ['0.14', '0.28'],
    'deepseek-reasoner': ['0.14', '0.28'],
    'deepseek-v4-flash': ['0.14', '0.28'],
    'deepseek-v4-pro': ['0.435', '0.87'],
  },
  moonshot: {
    'kimi-k2-0711-preview': ['0.6', '2.5'],
    'kimi-k2-0905-preview': ['0.6', '2.5'],
    'kimi-k2-thinking': ['0.6', '2.5'],
    'kimi-k2-thinking-turbo': ['1.15', '8'],
    'kimi-k2-turbo-preview': ['2.4', '10'],
    'kimi-k2.5': ['0.6', '3.0'],
    'kimi-k2.6': ['0.95', '4.0'],
    'kimi-k2.7-code': ['0.95', '4.0'],
    'kimi-k2.7-code-highspeed': ['1.90', '8.0'],
  },
};

export type KnownPrice = { readonly input: string; readonly output: string };

/** Returns a provider's price of a model; null if it is not in the table. */
export function knownPrice(make: UpstreamMake, model: string): KnownPrice | null {
  const known = PRICES[make] ?? {};
  const price = Object.hasOwn(known, model) ? known[model] : undefined;
  return price === undefined ? null : { input: price[0], output: price[1] };
}
